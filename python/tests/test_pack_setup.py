"""The set-up of packs by the actions of the pack `packs`."""

import json
import os
import sys
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from unittest import mock

_LIBRARY = os.path.join(os.path.dirname(__file__), "../../packs/packs/actions/lib")


class _Library(unittest.TestCase):
    def setUp(self):
        sys.path.insert(0, os.path.abspath(_LIBRARY))
        self.addCleanup(sys.path.remove, os.path.abspath(_LIBRARY))


class SetUpTest(_Library):
    def _set_up(self, *frames):
        """:return: the reported lines, and what `set_up` returned or raised"""
        from pack_api import set_up

        asked = []

        class Api(BaseHTTPRequestHandler):
            def do_POST(self):
                asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()
                for frame in frames:
                    self.wfile.write(frame.encode("utf-8"))

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Api)
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        lines = []
        access = {"ST2_ACTION_API_URL": "http://127.0.0.1:%d" % server.server_port, "ST2_ACTION_AUTH_TOKEN": "t"}
        try:
            with mock.patch.dict(os.environ, access):
                outcome = set_up(lines.append, packs=["web"], setup_virtualenvs=True)
        except RuntimeError as error:
            outcome = str(error)
        finally:
            thread.join()
            server.server_close()
        self.assertEqual(asked, [{"packs": ["web"], "setup_virtualenvs": True, "types": [], "follow": True}])
        return lines, outcome

    def test_reports_lines_as_they_arrive(self):
        frames = ("\n", "event: progress\ndata: step 1\n\n", "\n", 'event: result\ndata: {"virtualenvs": 1}\n\n')
        self.assertEqual(self._set_up(*frames), (["step 1"], {"virtualenvs": 1}))

    def test_raises_a_failure_with_its_text(self):
        frames = ("event: progress\ndata: step 1\n\n", 'event: fault\ndata: {"faultstring": "disk full\\nmore"}\n\n')
        self.assertEqual(self._set_up(*frames), (["step 1"], "disk full\nmore"))

    def test_a_connection_that_ends_early_is_a_failure(self):
        lines, outcome = self._set_up("event: progress\ndata: step 1\n\n")
        self.assertIn("ended the connection", outcome)


class DependenciesTest(_Library):
    def test_reads_dependencies_in_both_yaml_styles(self):
        from pack_file import pack_dependencies

        for text in ("dependencies:\n  - web\n  - 'core=1.0'  # old\n", "dependencies: [web, 'core=1.0']\nname: x\n"):
            with tempfile.TemporaryDirectory() as directory:
                with open(os.path.join(directory, "pack.yaml"), "w") as file:
                    file.write("name: tools\n" + text + "keywords:\n  - other\n")
                self.assertEqual(pack_dependencies(directory), ["web", "core=1.0"])
