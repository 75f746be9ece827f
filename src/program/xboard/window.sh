# Opens the window, and again for each new game: see engine.sh.
cd "$(dirname "$0")" || exit 1
# Debian installs XBoard in a directory that is not always on the path.
PATH=$PATH:/usr/games
# XBoard ends inside the handler of the signal, where it sometimes blocks for ever.
trap '{ kill $window && sleep 2 && kill -KILL $window; } 2>/dev/null &' INT TERM HUP
# The file by which the engine requests a new window.
export again=.again.$$
while
    rm -f "$again"
