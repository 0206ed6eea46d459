"""
Marks this process for readers of `/proc/<pid>/environ`. That file has the environment with which the program was started, and a
forked process has the one of its parent. So the program is started with a placeholder, which is filled in here.
"""

import os

__all__ = ["ProcessMarker"]

# Positions after the program's name in `/proc/<pid>/stat` (see proc(5)): fields 50, 51 and 22.
_ENV_START, _ENV_END, _START_TIME = 47, 48, 19
_STAT_BYTES = 4096


class ProcessMarker:
    """The value of one environment variable, as other processes see it."""

    def __init__(self, name):
        """:raises LookupError: if this process was started without the variable"""
        fields = _stat_fields()
        start, end = int(fields[_ENV_START]), int(fields[_ENV_END])
        key = name.encode("ascii") + b"="
        memory = os.open("/proc/self/mem", os.O_RDONLY)
        try:
            environment = os.pread(memory, end - start, start)
        finally:
            os.close(memory)
        at = (b"\0" + environment).find(b"\0" + key)
        if at < 0:
            raise LookupError("%s is not in the environment" % name)
        self._address = start + at + len(key)
        self._room = environment.index(b"\0", at) - at - len(key)

    def set(self, value):
        """Changes the variable of this process and of the processes that it forks."""
        text = value.encode("ascii")
        if len(text) > self._room:
            raise ValueError("%r is too long for a marker" % value)
        memory = os.open("/proc/self/mem", os.O_WRONLY)
        try:
            os.pwrite(memory, text.ljust(self._room, b"\0"), self._address)
        finally:
            os.close(memory)


def start_time():
    """:return: the start time of this process, in clock ticks since the machine started, as a string"""
    return _stat_fields()[_START_TIME].decode("ascii")


def _stat_fields():
    # Each process of a warm worker reads them, and `open` takes a few times as long.
    fd = os.open("/proc/self/stat", os.O_RDONLY)
    try:
        text = os.read(fd, _STAT_BYTES)
    finally:
        os.close(fd)
    return text[text.rindex(b")") + 2 :].split()
