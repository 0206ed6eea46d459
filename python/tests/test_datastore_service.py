import logging
import unittest

from st2common.services.datastore import DatastoreService

ITEM = {"id": "1", "name": "tests.Probe:a", "value": "x"}


class DatastoreServiceTest(unittest.TestCase):
    def setUp(self):
        self.calls = []
        self.answers = {}
        logger = logging.getLogger("tests.datastore")
        logger.disabled = True
        self.service = DatastoreService(self.call, logger, "tests", "Probe")

    def call(self, method, **parameters):
        self.calls.append((method, parameters))
        answer = self.answers.get(method)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def test_local_names_belong_to_the_class(self):
        self.answers = {"get_value": "x", "delete_value": True, "list_values": [ITEM]}
        self.assertEqual(self.service.get_value("a"), "x")
        self.assertTrue(self.service.set_value("a", 5, ttl=60, encrypt=True))
        self.assertTrue(self.service.delete_value("a"))
        (item,) = self.service.list_values(prefix="a", limit=10)
        self.assertEqual((item.name, item.value, item.secret), ("tests.Probe:a", "x", None))
        self.assertEqual(
            self.calls,
            [
                ("get_value", {"name": "tests.Probe:a", "decrypt": False}),
                ("set_value", {"name": "tests.Probe:a", "value": "5", "ttl": 60, "encrypt": True}),
                ("delete_value", {"name": "tests.Probe:a"}),
                ("list_values", {"prefix": "tests.Probe:a", "limit": 10, "offset": 0}),
            ],
        )

    def test_other_names_are_used_as_given(self):
        self.answers = {"list_values": []}
        self.service.get_value("a.b", local=False, decrypt=True)
        self.service.list_values(local=False)
        self.assertEqual(
            [parameters for _, parameters in self.calls],
            [{"name": "a.b", "decrypt": True}, {"prefix": None, "limit": None, "offset": 0}],
        )

    def test_failed_reads_and_deletes_return_a_value_and_failed_writes_raise(self):
        self.answers = dict.fromkeys(["get_value", "set_value", "delete_value"], RuntimeError("away"))
        self.assertIsNone(self.service.get_value("a"))
        self.assertFalse(self.service.delete_value("a"))
        with self.assertRaises(RuntimeError):
            self.service.set_value("a", "b")

    def test_rejects_scopes_other_than_system(self):
        for method, arguments in (("get_value", ["a"]), ("set_value", ["a", "b"]), ("delete_value", ["a"])):
            with self.assertRaisesRegex(ValueError, "^Scope user is unsupported.$"):
                getattr(self.service, method)(*arguments, scope="user")


if __name__ == "__main__":
    unittest.main()
