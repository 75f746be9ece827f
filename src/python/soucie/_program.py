"""Finds the program of this package."""

from __future__ import annotations

import sys
import sysconfig
from importlib import metadata
from pathlib import Path

_NAME = "soucie.exe" if sys.platform == "win32" else "soucie"


def find_program() -> str:
    """Returns the path of the program that was installed with this package.

    Raises `FileNotFoundError` if there is none.
    """
    try:
        files = metadata.distribution("soucie").files or []
    except metadata.PackageNotFoundError:
        files = []
    places = [Path(str(file.locate())) for file in files if file.name == _NAME]
    places.append(Path(sysconfig.get_path("scripts"), _NAME))
    # `pip install --target` moves the program here.
    places.append(Path(__file__).parents[1] / "bin" / _NAME)
    for place in places:
        if place.is_file():
            return str(place.resolve())
    raise FileNotFoundError(
        "the program of the package soucie is missing: install it anew, or name one with program="
    )


def not_found(program: str | None) -> FileNotFoundError:
    """The error that a program cannot be started because there is none of this name."""
    return FileNotFoundError(f"program={program!r}: expected the path of a program")
