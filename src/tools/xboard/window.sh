# Opens the window, and once more for each new game: see adapter.sh.
cd "$(dirname "$0")" || exit 1
# Debian keeps both programs in a folder that is not always on the path.
PATH=$PATH:/usr/games
trap 'kill $window 2>/dev/null' INT TERM HUP
while
    rm -f again
