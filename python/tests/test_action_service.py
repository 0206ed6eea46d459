import io
import json
import logging
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from unittest import mock

from st2common.runners.action_service import ActionService
from st2common.services.api_client import ApiClient, ApiError

MISSING = (404, {"faultstring": "not there"})


class ActionServiceTest(unittest.TestCase):
    def setUp(self):
        self.requests = []
        self.answers = {}
        self.server = HTTPServer(("127.0.0.1", 0), self.handler())
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.log = io.StringIO()
        logger = logging.getLogger("tests.action_service.%s" % self.id())
        logger.handlers = [logging.StreamHandler(self.log)]
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
        url = "http://127.0.0.1:%d/v1" % self.server.server_port
        variables = {"SVC_ACTION_API_URL": url, "ST2_ACTION_AUTH_TOKEN": "secret"}
        patched = mock.patch.dict("os.environ", variables)
        patched.start()
        self.addCleanup(patched.stop)
        self.service = ActionService("tests", "Probe", logger)

    def handler(self):
        case = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self):
                length = int(self.headers.get("Content-Length", 0))
                body = json.loads(self.rfile.read(length)) if length else None
                case.requests.append((self.command, self.path, self.headers["X-Auth-Token"], body))
                status, value = case.answers.get(self.command, (200, {}))
                text = b"" if value is None else json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_PUT = do_DELETE = do_POST = answer

            def log_message(self, *_):
                pass

        return Handler

    def test_uses_items_of_the_class_with_the_token_of_the_execution(self):
        item = {"id": "1", "name": "tests.Probe:a/b", "value": "x"}
        self.answers = {"GET": (200, item), "DELETE": (204, None)}
        self.assertIs(self.service.set_value("a/b", 5, ttl=60, encrypt=True), True)
        self.assertEqual(self.service.get_value("a/b", decrypt=True), "x")
        self.assertIs(self.service.delete_value("a/b"), True)
        path = "/v1/keys/tests.Probe%3Aa%2Fb"
        body = {"name": "tests.Probe:a/b", "value": "5", "scope": "system", "ttl": 60, "secret": True}
        self.assertEqual(
            self.requests,
            [
                ("PUT", path, "secret", body),
                ("GET", path + "?decrypt=true", "secret", None),
                ("DELETE", path, "secret", None),
            ],
        )
        self.assertEqual(
            self.log.getvalue().splitlines(),
            [
                "Creating new Client object.",
                "Setting value in the datastore (name=tests.Probe:a/b)",
                "Retrieving value from the datastore (name=tests.Probe:a/b)",
                "Deleting value from the datastore (name=tests.Probe:a/b)",
            ],
        )

    def test_lists_items(self):
        self.answers = {"GET": (200, [{"name": "tests.Probe:a", "value": "x"}])}
        (item,) = self.service.list_values(prefix="a", limit=10)
        self.assertEqual((item.name, item.value), ("tests.Probe:a", "x"))
        self.assertEqual(self.requests[0][1], "/v1/keys?prefix=tests.Probe%3Aa&limit=10&offset=0")

    def test_missing_items_are_not_errors(self):
        self.answers = {"GET": MISSING, "DELETE": MISSING}
        self.assertIsNone(self.service.get_value("a"))
        self.assertIs(self.service.delete_value("a"), True)
        self.assertNotIn("not there", self.log.getvalue())

    def test_logs_other_refused_reads_and_raises_refused_writes(self):
        self.answers = {"GET": (403, {"faultstring": "not for you"}), "PUT": (500, None)}
        self.assertIsNone(self.service.get_value("a"))
        self.assertIn("not for you", self.log.getvalue())
        with self.assertRaisesRegex(ApiError, "^The API answered 500.$"):
            self.service.set_value("a", "b")

    def test_returns_the_user_whose_permissions_apply(self):
        self.answers = {"GET": (200, {"username": "ann"})}
        self.assertEqual(self.service.get_user_info(), {"username": "ann"})
        self.assertEqual(self.requests[0][1], "/v1/user")

    def test_returns_a_client_of_the_api(self):
        client = self.service.datastore_service.get_api_client()
        self.assertIsInstance(client, ApiClient)
        self.answers = {"POST": (201, {"id": "7"})}
        self.assertEqual(client.post("/executions", {"action": "core.noop"}), {"id": "7"})
        self.assertEqual(self.requests, [("POST", "/v1/executions", "secret", {"action": "core.noop"})])


if __name__ == "__main__":
    unittest.main()
