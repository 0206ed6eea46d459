"""The triggers that wait for the sensor."""

import collections
import os
import select

__all__ = ["TriggerQueue"]

_CHUNK = 4096


class TriggerQueue:
    """
    Is filled by a thread of the system and emptied by a thread that may be a green one. So it has no lock: what is in a pipe
    says that something has come, and whoever waits for that waits in its own way.
    """

    _read = staticmethod(os.read)
    _write = staticmethod(os.write)

    def __init__(self):
        self._waiting = collections.deque()
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)

    def put(self, message):
        self._waiting.append(message)
        try:
            self._write(self._writer, b".")
        except BlockingIOError:
            # The pipe is full, so there is enough to read.
            pass

    def take(self):
        """:return: the oldest message, as soon as there is one"""
        while not self._waiting:
            # As the module has it now: a sensor may have replaced it, so that its green threads go on meanwhile.
            select.select([self._reader], [], [])
            self._read(self._reader, _CHUNK)
        return self._waiting.popleft()
