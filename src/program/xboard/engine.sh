# The engine command of XBoard: Soucie, with two additions to the lines of XBoard.
#
# - The commands in $fixed, which set the strength.
# - New games. XBoard starts them with White to move, because in its games Black moves first only
#   from a loaded position. If it starts a game and loads no position, it is closed, and window.sh
#   opens it again.
#
# With an argument this is the second of two engines, which gets its position later.
unset=.unset.$$
while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in
    protover*) printf '%s' "$fixed" ;;
    new) : >"$unset" ;;
    setboard* | quit) rm -f "$unset" ;;
    ping*)
        # A position follows at once or not at all.
        {
            sleep 0.5
            # XBoard ends inside the handler of the signal, where it sometimes blocks for ever.
            [ $# = 0 ] && rm "$unset" && : >"$again" && kill $PPID && sleep 2 && kill -KILL $PPID
        } 2>/dev/null >/dev/null &
        ;;
    esac
done | "$engine"
rm -f "$unset"
