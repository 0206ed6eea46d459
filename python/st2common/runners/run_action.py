"""Runs one action in this process, which has no other work."""

import atexit
import gc
import io
import os
import stat
import sys

from st2common.runners.action_logging import set_log_level
from st2common.runners.load_action import create_action
from st2common.runners.pack_config import PackConfig
from st2common.runners.result_json import result_json
from switchyard_installation import describe
from switchyard_modules import explanation, use_shared_environment

__all__ = ["run_action", "leave"]

FAILURE = 1
INVALID_STATUS = 220
# Outer files first, because flushing them writes to the inner ones.
_FILES = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom)
_OURS = os.path.dirname(os.path.abspath(__file__)) + os.sep

_INVALID_STATUS_TEXT = """\
Status returned from the action run() method must either be True or False, got: %s

An action that returns a tuple of two items has to
1. return a list instead, or
2. begin the tuple with a status flag, as in (True, ("item1", "item2")).
"""


def run_action(document, result_fd):
    """
    :param document: `file_path`, `pack`, `parameters`, `floats` (names of those that are floats), `config`,
        `config_path`, `log_level` and `installation` (see `libs/config/src/python-installation.ts`)
    :param result_fd: receives one line of JSON, `{"status": true | false | null, "result": …}`, when the action returns
    :return: the exit code of the process
    """
    pid = os.getpid()
    try:
        sys.argv[:] = [document["file_path"]]
        set_log_level(document["log_level"])
        config = PackConfig(document["config"], document["pack"], document["config_path"])
        installation = document["installation"]
        describe({**installation, "pack": document["pack"], "config": config})
        use_shared_environment(installation["shared"])
        action = create_action(document["file_path"], document["pack"], config)
        returned = action.run(**_parameters(document))
        if os.getpid() != pid:
            # This is a process that the action has forked. Only its parent reports the result.
            return 0
        return _hand_over(returned, result_fd)
    except SystemExit as end:
        return _exit_code(end)
    except BaseException as error:
        _print_exception(error)
        return FAILURE


def _parameters(document):
    given = document["parameters"]
    for name in document["floats"]:
        if type(given.get(name)) is int:
            given[name] = float(given[name])
    return given


def _hand_over(returned, result_fd):
    status, result = returned if isinstance(returned, tuple) and len(returned) == 2 else (None, returned)
    if status is not None and not isinstance(status, bool):
        sys.stderr.write(_INVALID_STATUS_TEXT % (status,))
        return INVALID_STATUS
    flag = {True: "true", False: "false", None: "null"}[status]
    rest = memoryview(('{"status":%s,"result":%s}\n' % (flag, result_json(result))).encode("ascii"))
    while rest:
        rest = rest[os.write(result_fd, rest) :]
    os.close(result_fd)
    return 0


def leave(code):
    """Ends this process as the interpreter would, but without its final cleanup."""
    for finish in (_wait_for_threads, atexit._run_exitfuncs, _flush_files, sys.stdout.flush, sys.stderr.flush):
        try:
            finish()
        except BaseException as error:
            _print_exception(error)
    os._exit(code)


def _wait_for_threads():
    threading = sys.modules.get("threading")
    if threading is not None:
        threading._shutdown()


def _flush_files():
    """Flushes files that are still open, so that no data is lost. Does not wait for pipes."""
    files = [found for found in gc.get_objects() if type(found) in _FILES]
    for file in sorted(files, key=lambda found: _FILES.index(type(found))):
        try:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                file.flush()
        except (OSError, ValueError):
            # It is closed or is no file of the operating system, or the disk is full, which no program learns at this point.
            pass


def _exit_code(end):
    """The exit code for the argument of `sys.exit`, as in the interpreter."""
    if end.code is None:
        return 0
    if isinstance(end.code, int):
        return end.code & 0xFF
    sys.stderr.write("%s\n" % (end.code,))
    return FAILURE


def _print_exception(error):
    """Prints the error with a traceback that starts at the code of the action."""
    trace = error.__traceback__
    while trace is not None and _is_ours(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    import traceback

    traceback.print_exception(type(error), error.with_traceback(trace), trace)
    reason = explanation(error)
    if reason is not None:
        sys.stderr.write(reason + "\n")


def _is_ours(filename):
    return filename.startswith(_OURS) or filename.startswith("<frozen importlib")
