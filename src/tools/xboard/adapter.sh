# What XBoard starts as its engine, for each game anew: UCI2WB with Soucie behind it. It mends:
#
# - An illegal move. XBoard does not know the rules and passes on every move. UCI2WB knows no way
#   to refuse one: it would go on with an answer to the position before. So an illegal move is seen
#   here; what UCI2WB believes to be the answer is kept back, both moves are taken back, and XBoard
#   is told.
# - A new game. XBoard begins one with the pieces of chess, since it knows no game in which Black
#   begins except by loading a position. When it starts an engine and loads no position, it is
#   closed, and window.sh opens it again.
# - The result. UCI2WB knows only mate, stalemate and resignation.
#
# With an argument it is the second of two engines, which gets its position later.

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
