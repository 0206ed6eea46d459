"""Runs commands of the unmodified reference client for replay.py, each in a fork of one process that has loaded its libraries.

  PYTHON client.py SOCKET LIMIT_SECONDS     with the Python of the environment that the client is installed in

Loading the libraries takes most of the processor time of a command. The client itself is loaded anew for each, since it reads the
environment then. A connection sends a line of JSON with `args`, `stdin`, `env` and `cwd`, and gets one with `exit`, `stdout` and `stderr`.
"""
import gc
import json
import os
import signal
import socket
import sys
import tempfile
import time
import traceback

import st2client.shell


def serve(path, limit_seconds):
    for name in [name for name in sys.modules if name.split(".")[0] == "st2client"]:
        del sys.modules[name]
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    print("ready", flush=True)
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.alarm(limit_seconds)
            answer(connection)
            os._exit(0)
        connection.close()


def answer(connection):
    stream = connection.makefile("rw", encoding="utf-8")
    request = json.loads(stream.readline())
    files = [tempfile.TemporaryFile() for _ in range(3)]
    files[0].write(request["stdin"].encode())
    files[0].seek(0)
    for number, file in enumerate(files):
        os.dup2(file.fileno(), number)
    code = run(request)
    out, err = (text_of(file) for file in files[1:])
    stream.write(json.dumps({"exit": code, "stdout": out, "stderr": err}) + "\n")
    stream.close()


def text_of(file):
    file.seek(0)
    return file.read().decode("utf-8", "replace").replace("\r\n", "\n")


def run(request):
    """As the script that its package installs does."""
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    os.chdir(request["cwd"])
    sys.argv[:] = ["st2", *request["args"]]
    try:
        from st2client.shell import main

        sys.exit(main())
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 0xFF
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
