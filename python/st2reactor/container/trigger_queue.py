"""The triggers that wait for the sensor."""

import collections
import os
import select

__all__ = ["TriggerQueue"]

_CHUNK = 4096


class TriggerQueue:
    """
    A thread of the operating system fills it, and a thread that may be green empties it. So it has no lock: a byte in a pipe
    shows that there is a message, and each side waits for it in its own way.
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
            # The pipe is full, so the reader will be woken anyway.
            pass

    def take(self):
        """Waits for a message. :return: the oldest one"""
        while not self._waiting:
            # Looked up now, because a sensor may have replaced it to let its green threads run meanwhile.
            select.select([self._reader], [], [])
            self._read(self._reader, _CHUNK)
        return self._waiting.popleft()
