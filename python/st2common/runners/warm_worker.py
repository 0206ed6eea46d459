"""
An interpreter that is started before an action needs it. For each run it forks a process. Code of the pack is imported and run
only there, so runs share nothing.

The runner sends frames over file descriptor 3: two lengths (32 bits, network order), then a head and a document of these
lengths.

- head: `{"id", "marker", "owner", "fds": [stdout, stderr, result]}`, with descriptors of the process `owner`
- document: that of `run_action`, with the differences to the environment of the worker (`environment` and the names in `unset`) and
  `python_path`; only the new process reads it

It answers with lines of JSON: `ready` or `unable` (`reason`) once; for each run `started` (`pid`, `start_time`), written by the
new process before it runs code of the pack, or `refused` (`reason`); and `exited` (`status`, as in `os.wait`).

The worker ends when the runner closes the connection for any reason.
"""

import _signal
import atexit
import gc
import json
import os
import select
import signal
import struct
import sys
import time
import traceback

from st2common.runners.action_logging import prepare_logging
from st2common.runners.process_marker import ProcessMarker, start_time
from st2common.runners.run_action import FAILURE, leave, run_action
from st2common.runners.single_action import CHANNEL_FD, use_utf8

__all__ = ["WarmWorker"]

_LENGTHS = struct.Struct("!II")
_POLITE = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
# A forked process copies each page that it touches, so it uses the functions below those of `signal`, without enumerations.
_RESET = tuple(map(int, (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP)))
_INTERRUPT = int(signal.SIGINT)
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
        # Service managers stop all processes at once. The runner is stopped too, and this process ends when the runner has ended.
        for number in _POLITE:
            signal.signal(number, signal.SIG_IGN)
        _restore_environment()
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
            # The parameters of one run must not remain in the memory of the next one.
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
        """Runs the action in the forked process. Never returns."""
        code = FAILURE
        try:
            os.setsid()
            self._forget_the_worker(streams)
            self._marker.set(head["marker"])
            self._write('{"type":"started","id":%d,"pid":%d,"start_time":"%s"}' % (head["id"], os.getpid(), start_time()))
            os.close(self._fd)
            code = self._run_document(document, streams[2])
        except BaseException:
            traceback.print_exc()
        leave(code)

    def _forget_the_worker(self, streams):
        _signal.set_wakeup_fd(-1)
        for number in _RESET:
            _signal.signal(number, _signal.SIG_DFL)
        _signal.signal(_INTERRUPT, _signal.default_int_handler)
        os.close(self._children)
        os.close(self._wake_up)
        for number in (1, 2):
            os.dup2(streams[number - 1], number)
            os.close(streams[number - 1])

    def _run_document(self, document, result_fd):
        given = json.loads(document.decode("utf-8"))
        document[:] = bytes(len(document))
        for name in given["unset"]:
            if name in os.environ:
                del os.environ[name]
        for name, value in given["environment"].items():
            os.environ[name] = value
        if "TZ" in given["environment"] or "TZ" in given["unset"]:
            time.tzset()
        # The first one is ours; the ones with which the interpreter was started follow.
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
        self._write(json.dumps({"type": kind, **fields}))

    def _write(self, line):
        rest = memoryview((line + "\n").encode("ascii"))
        while rest:
            try:
                rest = rest[os.write(self._fd, rest) :]
            except OSError:
                os._exit(FAILURE)


def _restore_environment():
    """Python may set variables of the locale when it starts."""
    with open("/proc/self/environ", "rb") as file:
        variables = dict(entry.split(b"=", 1) for entry in file.read().split(b"\0") if b"=" in entry)
    os.environb.clear()
    os.environb.update(variables)


def _preload():
    """Imports modules that actions often need, and freezes existing objects, so that forked processes do not copy them."""
    import http.client  # noqa: F401
    import logging
    import threading  # noqa: F401

    import st2common.runners.action_datastore  # noqa: F401

    prepare_logging()
    atexit.unregister(logging.shutdown)
    atexit.register(_shut_down_logging)
    gc.collect()
    gc.freeze()


def _shut_down_logging():
    """Like `logging.shutdown`, which takes time even if there is nothing to flush."""
    import logging

    handlers = getattr(logging, "_handlerList", None)
    # One is always there: that for messages without a handler.
    if handlers is None or len(handlers) > 1:
        logging.shutdown()
