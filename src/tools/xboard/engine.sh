# The engine command of UCI2WB: Soucie with four changes.
#
# - The option UCI_Variant is left out, so that the engine plays Lines of Action.
# - After each position the command `d` is sent. Of its output only the reason for the end of the
#   game is passed on.
# - UCI2WB takes a search without a move for the end of the game: after an illegal move by the user
#   it gets a dummy move, which adapter.sh drops.
# - The options in $fixed, which set the strength, are set here and left out as well.
{
    printf '%s' "$fixed"
    while IFS= read -r line; do
        printf '%s\n' "$line"
        case $line in position*) echo d ;; esac
    done
} | "$engine" | while IFS= read -r line; do
    case $line in
    'option name UCI_Variant '*) ;;
    'option name UCI_LimitStrength '* | 'option name UCI_Elo '*) [ "$fixed" ] || printf '%s\n' "$line" ;;
    'Fen: '*) refused= ;;
    'Game over: '*) echo "info string over ${line#Game over: }" ;;
    'info string error the last position was refused: illegal move '*) refused=yes ;;
    'bestmove (none)') if [ "$refused" ]; then echo 'bestmove a1a1'; else printf '%s\n' "$line"; fi ;;
    'info '* | 'bestmove '* | 'id '* | 'option '* | uciok | readyok) printf '%s\n' "$line" ;;
    esac
done
