# What XBoard starts as its engine: UCI2WB with Soucie behind it.
#
# XBoard does not know the rules and passes on every move. UCI2WB knows no way to refuse one: it
# would go on with an answer to the position before. So an illegal move is seen here; what UCI2WB
# believes to be the answer is kept back, both moves are taken back, and XBoard is told.

pipe=$(mktemp -u) && mkfifo "$pipe" && exec 3<>"$pipe" 4<&0 || exit 1
rm "$pipe"
{ cat <&4; echo quit; } >&3 &

uci2wb -var fairy 'sh engine.sh' <&3 | while IFS= read -r line; do
    case $line in
    *' 0 0 0 error illegal move '*)
        refused=${line#*illegal move }
        echo '?' >&3 # no need to think
        ;;
    'Error (unknown command): ?') ;;
    'move '*)
        if [ "$refused" ]; then
            echo remove >&3
            printf 'Illegal move (%s): %s\n' "${refused#*: }" "${refused%% *}"
            refused=
        else
            printf '%s\n' "$line"
        fi
        ;;
    *) printf '%s\n' "$line" ;;
    esac
done
kill $! 2>&-
