# Opens the window, and again for each new game: see engine.sh.
cd "$(dirname "$0")" || exit 1
# Debian installs XBoard in a directory that is not always on the path.
PATH=$PATH:/usr/games
trap 'kill $window 2>/dev/null' INT TERM HUP
while
    rm -f again
