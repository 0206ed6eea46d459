"""The container's end of the channel, for tests: starts a sensor process and exchanges messages with it."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PATIENCE_S = 60


class SensorProcess:
    """A process with a sensor of the class `Probe`, from its source."""

    def __init__(self, source, **start):
        self._directory = tempfile.TemporaryDirectory()
        path = os.path.join(self._directory.name, "probe.py")
        with open(path, "w") as file:
            file.write(textwrap.dedent(source))
        ours, theirs = socket.socketpair()
        ours.settimeout(PATIENCE_S)
        self._socket = ours
        self._process = subprocess.Popen(
            [sys.executable, "-B", "-c", _MAIN % (ROOT, theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        theirs.close()
        self._lines = ours.makefile("r", encoding="utf-8")
        message = {
            "type": "start",
            "pack": "tests",
            "class_name": "Probe",
            "file_path": path,
            "config": {},
            "log_level": "DEBUG",
            "installation": {"base_path": "/base", "packs_base_paths": ["/base/packs"], "shared": None},
        }
        self.send({**message, **start})

    def send(self, message):
        self._socket.sendall((json.dumps(message) + "\n").encode())

    def receive(self, kind):
        """:return: the next message of a kind; earlier ones are dropped"""
        for line in self._lines:
            message = json.loads(line)
            if message["type"] == kind:
                return message
        raise AssertionError("the sensor has ended without a message of the kind " + kind)

    def answer(self, **reply):
        """Answers the next call. :return: the call"""
        call = self.receive("call")
        self.send({"type": "reply", "id": call["id"], **reply})
        return call

    def hang_up(self):
        self._lines.close()
        self._socket.close()

    def terminate(self):
        self._process.terminate()

    def end(self):
        """:return: exit code and standard output"""
        output, _ = self._process.communicate(timeout=PATIENCE_S)
        self.hang_up()
        self._directory.cleanup()
        return self._process.returncode, output.decode()


_MAIN = """
import sys
sys.path.insert(0, %r)
from st2reactor.container.sensor_wrapper import SensorWrapper
SensorWrapper(%d).run()
"""
