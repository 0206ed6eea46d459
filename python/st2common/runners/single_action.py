"""
An interpreter for one action. The runner sends one line of JSON over file descriptor 3 (see `run_action`) and gets the result
over it too, so that parameters appear neither in the command line nor in the environment.
"""

import json
import os
import sys

from st2common.runners.run_action import leave, run_action

__all__ = ["CHANNEL_FD", "run_single_action"]

CHANNEL_FD = 3
_CHUNK = 1 << 16


def run_single_action(fd=CHANNEL_FD):
    """Never returns."""
    # Processes that the action starts must not use it.
    os.set_inheritable(fd, False)
    use_utf8()
    leave(run_action(json.loads(_read_line(fd)), fd))


def use_utf8():
    """The output of an action is UTF-8, whatever the locale of the service is."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")


def _read_line(fd):
    chunks = []
    while not chunks or not chunks[-1].endswith(b"\n"):
        chunk = os.read(fd, _CHUNK)
        if not chunk:
            raise SystemExit("The action runner is gone.")
        chunks.append(chunk)
    return b"".join(chunks).decode("utf-8")
