"""
The connection of a sensor with its container: one JSON document a line, both ways, over a socket of its own. Nothing that
the sensor or its libraries print can come in between.
"""

import collections.abc
import datetime
import json
import os
import threading
from _thread import allocate_lock

__all__ = ["Channel", "CallError", "ChannelClosed"]

_CHUNK = 65536


class CallError(Exception):
    """The container has refused a call; the text says why."""


class ChannelClosed(Exception):
    """The container is gone."""


class Channel:
    """
    Sends and receives. Any thread may send and call; one thread of its own receives, and hands what is no answer to
    `on_message`.
    """

    # A sensor may replace these, and locks and threads, with those of green threads, which cannot be shared by threads of the
    # system. The channel keeps what it began with.
    _read = staticmethod(os.read)
    _write = staticmethod(os.write)

    def __init__(self, fd, on_message, on_close):
        self._fd = fd
        self._on_message = on_message
        self._on_close = on_close
        self._sending = threading.Lock()
        self._waiting = {}
        self._last_id = 0
        self._closed = False
        self._pid = os.getpid()
        # What the sensor starts has no business here.
        os.set_inheritable(fd, False)

    def start(self):
        threading.Thread(target=self._receive, name="container-channel", daemon=True).start()

    def call(self, method, **parameters):
        """Asks the container and waits for the answer, however long it takes."""
        answer = _Answer()
        with self._sending:
            if self._closed:
                raise ChannelClosed("the sensor container is gone")
            self._last_id += 1
            call_id = self._last_id
            self._waiting[call_id] = answer
        try:
            self.send({"type": "call", "id": call_id, "method": method, "parameters": parameters})
            return answer.wait()
        finally:
            with self._sending:
                self._waiting.pop(call_id, None)

    def send(self, message):
        if os.getpid() != self._pid:
            raise RuntimeError("A process that the sensor has forked cannot speak with the container.")
        # Written in pieces, so that a line is whole whatever its length.
        line = (json.dumps(message, default=_plain, allow_nan=False) + "\n").encode("utf-8")
        with self._sending:
            view = memoryview(line)
            while view:
                try:
                    view = view[self._write(self._fd, view) :]
                except OSError as error:
                    raise ChannelClosed("the sensor container is gone") from error

    def _receive(self):
        rest = b""
        while True:
            try:
                chunk = self._read(self._fd, _CHUNK)
            except OSError:
                chunk = b""
            if not chunk:
                break
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._take(json.loads(line.decode("utf-8")))
        self._close()

    def _take(self, message):
        if message["type"] != "reply":
            self._on_message(message)
            return
        answer = self._waiting.get(message["id"])
        if answer is not None:
            answer.give(message)

    def _close(self):
        with self._sending:
            self._closed = True
            waiting = list(self._waiting.values())
        for answer in waiting:
            answer.give({"closed": True})
        self._on_close()


class _Answer:
    def __init__(self):
        # Not an event: that would wait with a lock which the sensor may have replaced.
        self._given = allocate_lock()
        self._given.acquire()
        self._message = None

    def give(self, message):
        # The reply may have come before the container was gone.
        if self._given.locked():
            self._message = message
            self._given.release()

    def wait(self):
        self._given.acquire()
        if "closed" in self._message:
            raise ChannelClosed("the sensor container is gone")
        if "error" in self._message:
            raise CallError(self._message["error"])
        return self._message.get("result")


def _plain(value):
    """What payloads may hold besides the types of JSON."""
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (set, frozenset)):
        return list(value)
    if isinstance(value, collections.abc.Mapping):
        return dict(value)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "replace")
    raise TypeError("A value of type %s cannot be sent: %r" % (type(value).__name__, value))
