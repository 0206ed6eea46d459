import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import unittest

from tests.container import PATIENCE_S, ROOT

MARKER = "SVC_ACTION_EXECUTION_ID"
ROOM = 32

ACTION = """
import logging.handlers, os, sys
from st2common.runners.base_action import Action

class Probe(Action):
    def run(self, **given):
        with open("/proc/self/environ") as file:
            seen = [entry for entry in file.read().split("\\0") if entry.startswith("SVC_ACTION_EXECUTION_ID")]
        sys.stdout.write("said")
        if "log" in given:
            kept = logging.handlers.MemoryHandler(100, target=logging.StreamHandler(sys.stderr))
            logging.getLogger("kept").addHandler(kept)
            logging.getLogger("kept").warning(given["log"])
        sys.exit(given["code"]) if "code" in given else None
        return [seen, dict(os.environ), os.getpid() == os.getsid(0), os.listdir("/proc/self/fd")]
"""


class Worker:
    def __init__(self, **environment):
        ours, theirs = socket.socketpair()
        ours.settimeout(PATIENCE_S)
        self._directory = tempfile.TemporaryDirectory()
        self.path = os.path.join(self._directory.name, "probe.py")
        with open(self.path, "w") as file:
            file.write(ACTION)
        self.socket = ours
        self._process = subprocess.Popen(
            [sys.executable, "-B", "-u", "-c", _MAIN % (ROOT, theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env={**os.environ, **environment},
        )
        self.environment = {**os.environ, **environment}
        theirs.close()
        self._lines = ours.makefile("r", encoding="utf-8")

    def receive(self):
        return json.loads(self._lines.readline())

    def ask(self, parameters, fds=None, marker="execution-1"):
        """:return: reading ends of output, error output and result"""
        pipes = [os.pipe() for _ in range(3)]
        written = fds or [writer for _, writer in pipes]
        head = {"id": 7, "marker": marker, "owner": os.getpid(), "fds": written}
        document = {
            "file_path": self.path,
            "pack": "tests",
            "parameters": parameters,
            "floats": [],
            "config": {},
            "config_path": "",
            "log_level": "DEBUG",
            "installation": {"base_path": "/base", "packs_base_paths": ["/base/packs"], "shared": None},
            "environment": {"ONLY": "this"},
            "unset": list(self.environment),
            "python_path": [],
        }
        parts = [json.dumps(part).encode() for part in (head, document)]
        self.socket.sendall(struct.pack("!II", *map(len, parts)) + b"".join(parts))
        return pipes

    def end(self):
        self._lines.close()
        self.socket.close()
        code = self._process.wait(PATIENCE_S)
        self._directory.cleanup()
        return code


_MAIN = """
import sys
sys.path.insert(0, %r)
from st2common.runners.warm_worker import WarmWorker
WarmWorker(%d).serve()
"""


def read_all(pipes):
    texts = []
    for reader, writer in pipes:
        os.close(writer)
        with os.fdopen(reader) as file:
            texts.append(file.read())
    return texts


@unittest.skipUnless(sys.platform.startswith("linux"), "workers need /proc")
class WarmWorkerTest(unittest.TestCase):
    def test_runs_an_action_in_a_process_with_the_marker_of_its_execution(self):
        worker = Worker(**{MARKER: "x" * ROOM})
        self.assertEqual(worker.receive(), {"type": "ready"})
        pipes = worker.ask({})
        started = worker.receive()
        self.assertEqual((started["type"], started["id"]), ("started", 7))
        self.assertEqual(worker.receive(), {"type": "exited", "id": 7, "status": 0})
        output, errors, line = read_all(pipes)
        self.assertEqual((output, errors), ("said", ""))
        returned = json.loads(line)
        seen, environment, leads, fds = returned["result"]
        self.assertEqual(returned["status"], None)
        self.assertEqual((seen, environment, leads), ([MARKER + "=execution-1"], {"ONLY": "this"}, True))
        # Three streams, the result, and the listing itself.
        self.assertEqual(len(fds), 5)
        self.assertEqual(worker.end(), 0)

    def test_reports_how_a_process_ends(self):
        worker = Worker(**{MARKER: "x" * ROOM})
        self.assertEqual(worker.receive()["type"], "ready")
        pipes = worker.ask({"code": 5})
        self.assertEqual(worker.receive()["type"], "started")
        self.assertEqual(os.WEXITSTATUS(worker.receive()["status"]), 5)
        self.assertEqual(read_all(pipes)[2], "")
        worker.end()

    def test_flushes_the_handlers_of_logging_at_the_end(self):
        worker = Worker(**{MARKER: "x" * ROOM})
        worker.receive()
        pipes = worker.ask({"log": "kept until the end"})
        self.assertEqual((worker.receive()["type"], worker.receive()["type"]), ("started", "exited"))
        self.assertEqual(read_all(pipes)[1], "kept until the end\n")
        worker.end()

    def test_refuses_descriptors_that_it_cannot_open(self):
        worker = Worker(**{MARKER: "x" * ROOM})
        worker.receive()
        pipes = worker.ask({}, fds=[9999, 9999, 9999])
        refused = worker.receive()
        self.assertEqual((refused["type"], refused["id"]), ("refused", 7))
        read_all(pipes)
        worker.end()

    def test_a_process_that_cannot_be_marked_exits_before_it_runs_the_action(self):
        worker = Worker(**{MARKER: "x" * ROOM})
        worker.receive()
        pipes = worker.ask({}, marker="y" * (ROOM + 1))
        self.assertEqual(worker.receive()["type"], "exited")
        self.assertEqual(read_all(pipes)[2], "")
        worker.end()

    def test_reports_that_it_cannot_work(self):
        worker = Worker()
        self.assertEqual(worker.receive(), {"type": "unable", "reason": "%s is not in the environment" % MARKER})
        self.assertEqual(worker.end(), 1)


if __name__ == "__main__":
    unittest.main()
