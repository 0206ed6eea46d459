"""
An interpreter that is ready before an action comes. For each run it forks a process, in which alone code of the pack is
imported and run, so that runs share nothing.

Over file descriptor 3 the runner sends frames: two lengths (32 bits, network order), then as many bytes of a head and of
a document.

- head: `{"id", "marker", "owner", "fds": [stdout, stderr, result]}`, the descriptors being those of the process `owner`
- document: that of `run_action`, with `environment` and `python_path`; nothing but the new process looks at it

Lines of JSON go back: `ready` or `unable` (`reason`) once; for each run `started` (`pid`, `start_time`) by the new process
itself, before it runs anything of the pack, or `refused` (`reason`); and `exited` (`status`, as of `os.wait`).

The worker ends when the runner closes the connection, by whatever cause.
"""

import gc
import json
import os
import select
import signal
import struct
import sys
import time
import traceback

from st2common.runners.process_marker import ProcessMarker, start_time
from st2common.runners.run_action import FAILURE, leave, run_action
from st2common.runners.single_action import CHANNEL_FD, use_utf8

__all__ = ["WarmWorker"]

_LENGTHS = struct.Struct("!II")
_POLITE = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_MARKER = "SVC_ACTION_EXECUTION_ID"


class WarmWorker:
    def __init__(self, fd=CHANNEL_FD):
        self._fd = fd
        self._runs = {}
        self._marker = None
        self._children, self._wake_up = os.pipe()

    def serve(self):
        """Never returns."""
        os.set_inheritable(self._fd, False)
        use_utf8()
        try:
            self._marker = ProcessMarker(_MARKER)
        except (OSError, LookupError, ValueError) as error:
            self._tell("unable", reason=str(error))
            os._exit(FAILURE)
        os.set_blocking(self._wake_up, False)
        signal.set_wakeup_fd(self._wake_up, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        # Whoever stops everything at once, as service managers do, stops the runner too, and this ends when that is through.
        for number in _POLITE:
            signal.signal(number, signal.SIG_IGN)
        _preload()
        self._tell("ready")
        while True:
            ready, _, _ = select.select([self._fd, self._children], [], [])
            if self._children in ready:
                os.read(self._children, 4096)
                self._reap()
            if self._fd in ready:
                self._take()

    def _take(self):
        head_length, document_length = _LENGTHS.unpack(self._read(_LENGTHS.size))
        head = json.loads(self._read(head_length).decode("utf-8"))
        document = self._read(document_length)
        try:
            self._start(head, document)
        except OSError as error:
            self._tell("refused", id=head["id"], reason=str(error))
        finally:
            # What one run was given must not be found in the memory of the next.
            document[:] = bytes(len(document))

    def _start(self, head, document):
        streams = []
        try:
            for fd in head["fds"]:
                streams.append(os.open("/proc/%d/fd/%d" % (head["owner"], fd), os.O_WRONLY))
            pid = os.fork()
            if pid == 0:
                self._run(head, document, streams)
            self._runs[pid] = head["id"]
        finally:
            for fd in streams:
                os.close(fd)

    def _run(self, head, document, streams):
        """The life of a forked process. Never returns."""
        code = FAILURE
        try:
            os.setsid()
            self._forget_the_worker(streams)
            self._marker.set(head["marker"])
            self._tell("started", id=head["id"], pid=os.getpid(), start_time=start_time())
            os.close(self._fd)
            code = self._run_document(document, streams[2])
        except BaseException:
            traceback.print_exc()
        leave(code)

    def _forget_the_worker(self, streams):
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, *_POLITE):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.close(self._children)
        os.close(self._wake_up)
        for number in (1, 2):
            os.dup2(streams[number - 1], number)
            os.close(streams[number - 1])

    def _run_document(self, document, result_fd):
        given = json.loads(document.decode("utf-8"))
        document[:] = bytes(len(document))
        os.environ.clear()
        os.environ.update(given["environment"])
        time.tzset()
        # The first one is ours; those that the interpreter was started with follow.
        sys.path[1:1] = given["python_path"]
        return run_action(given, result_fd)

    def _reap(self):
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            run = self._runs.pop(pid, None)
            if run is not None:
                self._tell("exited", id=run, status=status)

    def _read(self, length):
        data = bytearray(length)
        rest = memoryview(data)
        while rest:
            count = os.readv(self._fd, [rest])
            if count == 0:
                os._exit(0)
            rest = rest[count:]
        return data

    def _tell(self, kind, **fields):
        rest = memoryview((json.dumps({"type": kind, **fields}) + "\n").encode("ascii"))
        while rest:
            try:
                rest = rest[os.write(self._fd, rest) :]
            except OSError:
                os._exit(FAILURE)


def _preload():
    """Imports what actions are likely to, and makes forking cheap: what is there already is not looked at again."""
    import http.client  # noqa: F401
    import logging  # noqa: F401
    import threading  # noqa: F401

    import st2common.runners.action_datastore  # noqa: F401

    gc.collect()
    gc.freeze()
