"""An engine on a pipe, for the measurements beside this file."""

import subprocess


class Engine:
    """An engine on a pipe."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def lines(self, *commands):
        """The lines after these commands. The end of the engine is an error."""
        self.send(*commands)
        for line in self.process.stdout:
            yield line
        raise SystemExit(f"the engine ended after {commands[-1]}")
