# The engine command of XBoard, started for each game: UCI2WB, which runs Soucie. It handles what
# XBoard and UCI2WB do not:
#
# - Illegal moves. XBoard has no rules for this game and passes every move on, and UCI2WB cannot
#   refuse one: it would continue with a reply to the previous position. So an illegal move is
#   detected here; the reply from UCI2WB is dropped, both moves are taken back, and XBoard gets an
#   "Illegal move" line.
# - New games. XBoard starts them with the pieces of chess, because in its games Black moves first
#   only from a loaded position. If it starts an engine and loads no position, it is closed, and
#   window.sh opens it again.
# - Results. UCI2WB supports only mate, stalemate and resignation.
#
# With an argument this is the second of two engines, which gets its position later.

pipe=$(mktemp -u) && mkfifo "$pipe" && exec 3<>"$pipe" 4<&0 || exit 1
rm "$pipe"
unset=.unset.$$
{
    while IFS= read -r line; do
        printf '%s\n' "$line"
        case $line in
        new) : >"$unset" ;;
        setboard* | quit) rm -f "$unset" ;;
        ping*)
            # A position follows at once or not at all.
            {
                sleep 0.5
                [ $# = 0 ] && rm "$unset" && : >again && kill $PPID
            } 2>/dev/null >/dev/null &
            ;;
        esac
    done <&4
    echo quit
} >&3 &

# Prints the result of a game that is over in XBoard's words.
finish() {
    case $1 in
    'Black has won'*) echo "0-1 {$1}" ;;
    'White has won'*) echo "1-0 {$1}" ;;
    *) echo "1/2-1/2 {$1}" ;;
    esac
}

uci2wb -var fairy 'sh engine.sh' <&3 | while IFS= read -r line; do
    case $line in
    *' 0 0 0 error illegal move '*)
        refused=${line#*illegal move }
        echo '?' >&3 # no need to think
        ;;
    'Error (unknown command): '*) ;;
    *' 0 0 0 over '*) over=${line#* over } ;;
    'move (none)') ;;
    'move '*)
        if [ "$refused" ]; then
            echo remove >&3
            printf 'Illegal move (%s): %s\n' "${refused#*: }" "${refused%% *}"
            refused=
        else
            printf '%s\n' "$line"
        fi
        ;;
    resign | '1/2-1/2 {stalemate}') if [ "$over" ]; then finish "$over"; else printf '%s\n' "$line"; fi ;;
    '1-0 {mate}') finish 'White has won: all its stones are connected' ;;
    '0-1 {mate}') finish 'Black has won: all its stones are connected' ;;
    *) printf '%s\n' "$line" ;;
    esac
done
rm -f "$unset"
kill $! 2>&-
