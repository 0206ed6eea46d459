"""
The connection of a sensor with its container: JSON documents, one per line, in both directions, over a separate socket. Output
of the sensor or its libraries cannot get in between.
"""

import json
import os
import threading
from _thread import allocate_lock

from st2common.runners.result_json import message_json

__all__ = ["Channel", "CallError", "ChannelClosed"]

_CHUNK = 65536


class CallError(Exception):
    """The container has refused a call, or it cannot be sent. The text says why."""


class ChannelClosed(Exception):
    """The container has exited."""


class Channel:
    """
    Sends and receives messages. Any thread may send and call. The channel's own thread receives, and passes messages that
    are not answers to `on_message`.
    """

    # A sensor may replace these, and locks and threads, by those of green threads, which threads of the operating system cannot
    # share. The channel keeps the original ones.
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
        # Processes that the sensor starts must not use it.
        os.set_inheritable(fd, False)

    def start(self):
        threading.Thread(target=self._receive, name="container-channel", daemon=True).start()

    def call(self, method, **parameters):
        """Calls the container and waits for the answer without a time limit."""
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
            raise RuntimeError("A process that the sensor has forked cannot use the connection to the container.")
        # Writes in parts, so that lines of any length are sent completely.
        line = (_text_of(message) + "\n").encode("utf-8")
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
        # Not a threading.Event, which waits with a lock that the sensor may have replaced.
        self._given = allocate_lock()
        self._given.acquire()
        self._message = None

    def give(self, message):
        # The answer may have arrived before the container exited.
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


def _text_of(message):
    try:
        return message_json(message)
    except (ValueError, RecursionError) as error:
        raise CallError("The message cannot be sent: %s" % error) from error
