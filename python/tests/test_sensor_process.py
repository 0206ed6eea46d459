import unittest

from tests.container import SensorProcess

PASSIVE = """
from st2reactor.sensor.base import Sensor

class Probe(Sensor):
    def setup(self):
        pass
    def run(self):
        %s
    def cleanup(self):
        print("cleaned up")
    def add_trigger(self, trigger):
        self.sensor_service.dispatch("tests.added", trigger)
    def update_trigger(self, trigger):
        raise ValueError("no updates")
    def remove_trigger(self, trigger):
        self.sensor_service.dispatch("tests.removed", trigger)
"""

POLLING = """
from st2reactor.sensor.base import PollingSensor

class Probe(PollingSensor):
    def setup(self):
        pass
    def poll(self):
        self.sensor_service.dispatch("tests.poll", {"every": self.get_poll_interval(), "config": self.config})
    def cleanup(self):
        pass
    def add_trigger(self, trigger):
        pass
    update_trigger = remove_trigger = add_trigger
"""

DO_NOTHING = "import time; time.sleep(60)"
# One call of a C function: the interpreter cannot run a signal handler between the sum and the wait.
BUSY_THEN_WAITING = (
    "import collections, itertools, threading; lock = threading.Lock(); lock.acquire(); "
    "self.sensor_service.get_logger('probe').info('busy'); "
    "collections.deque(itertools.chain(map(sum, [range(10**7)]), map(lock.acquire, [True])), maxlen=0)"
)


class SensorProcessTest(unittest.TestCase):
    def test_dispatch_waits_until_the_container_has_stored_the_event(self):
        sensor = SensorProcess(
            PASSIVE % "self.sensor_service.dispatch('tests.event', {'a': [1, None]}, 'tag'); print('stored')"
        )
        sensor.receive("ready")
        call = sensor.answer(result=None)
        self.assertEqual(call["method"], "dispatch")
        self.assertEqual(
            call["parameters"],
            {"trigger": "tests.event", "payload": {"a": [1, None]}, "trace_context": {"trace_tag": "tag"}},
        )
        self.assertEqual(sensor.end(), (0, "stored\ncleaned up\n"))

    def test_logs_a_refused_dispatch_and_continues(self):
        sensor = SensorProcess(PASSIVE % "self.sensor_service.dispatch('tests.event'); print('went on')")
        sensor.answer(error="the payload is wrong")
        log = sensor.receive("log")
        self.assertEqual((log["level"], log["message"]), ("ERROR", "the payload is wrong"))
        self.assertEqual(log["logger"], "st2.SensorWrapper.tests.Probe")
        self.assertEqual(sensor.end()[0], 0)

    def test_converts_the_values_of_a_payload_as_those_of_a_result(self):
        body = """
        import datetime, decimal, uuid
        class Unprintable:
            def __str__(self):
                raise ValueError
        self.sensor_service.dispatch("tests.event", {
            "numbers": [float("nan"), float("-inf"), decimal.Decimal("1.50"), 2**64],
            "id": uuid.UUID(int=1),
            "day": datetime.date(2024, 2, 29),
            "error": ValueError("broken"),
            "unprintable": Unprintable(),
            "names": {"b", "a"},
            (1, 2): {uuid.UUID(int=2): b"text"},
        })
        self.sensor_service.dispatch_with_context("tests.event", {"letters": (letter for letter in "ab")})
        print("went on")"""
        sensor = SensorProcess(PASSIVE % body)
        self.assertEqual(
            sensor.answer(result=None)["parameters"]["payload"],
            {
                "numbers": [None, None, "1.50", "18446744073709551616"],
                "id": "00000000-0000-0000-0000-000000000001",
                "day": "2024-02-29",
                "error": "broken",
                "unprintable": "<Unprintable>",
                "names": ["a", "b"],
                "(1, 2)": {"00000000-0000-0000-0000-000000000002": "text"},
            },
        )
        self.assertIn("<generator object", sensor.answer(result=None)["parameters"]["payload"]["letters"])
        self.assertEqual(sensor.end(), (0, "went on\ncleaned up\n"))

    def test_logs_a_payload_that_contains_itself_and_continues(self):
        body = "a = {}; a['a'] = a; self.sensor_service.dispatch('tests.event', a); print('went on')"
        sensor = SensorProcess(PASSIVE % body)
        self.assertIn("cannot be sent: Circular reference", sensor.receive("log")["message"])
        self.assertEqual(sensor.end()[0], 0)

    def test_the_datastore_service_has_a_client_of_the_api_with_the_token_of_the_sensor(self):
        body = """
        import os, sys
        sys.modules["st2client"] = None
        os.environ.update(SVC_API_URL="http://127.0.0.1:9101/v1", ST2_AUTH_TOKEN="token-of-the-sensor")
        client = self.sensor_service.datastore_service.get_api_client()
        print(type(client).__name__, client._url.geturl(), client._token)"""
        output = "ApiClient http://127.0.0.1:9101/v1 token-of-the-sensor\ncleaned up\n"
        self.assertEqual(SensorProcess(PASSIVE % body).end(), (0, output))

    def test_polls_repeatedly_with_the_interval_of_the_metadata(self):
        sensor = SensorProcess(POLLING, poll_interval=0.01, config={"region": "north"})
        for _ in range(3):
            call = sensor.answer(result=None)
            self.assertEqual(call["parameters"]["payload"], {"every": 0.01, "config": {"region": "north"}})
        sensor.terminate()
        self.assertEqual(sensor.end()[0], 143)

    def test_a_passive_sensor_gets_no_poll_interval(self):
        sensor = SensorProcess(PASSIVE % "pass", poll_interval=7)
        self.assertEqual(sensor.end()[0], 0)

    def test_receives_further_triggers_after_a_failed_call(self):
        sensor = SensorProcess(PASSIVE % DO_NOTHING)
        for change in ("add", "update", "remove"):
            sensor.send({"type": "trigger", "change": change, "trigger": {"ref": "tests.x", "parameters": {}}})
        self.assertEqual(sensor.answer(result=None)["parameters"]["trigger"], "tests.added")
        self.assertIn("ValueError: no updates", sensor.receive("log")["message"])
        self.assertEqual(sensor.answer(result=None)["parameters"]["trigger"], "tests.removed")
        sensor.terminate()
        self.assertEqual(sensor.end(), (143, "cleaned up\n"))

    def test_ends_when_the_signal_arrives_just_before_it_begins_to_wait(self):
        sensor = SensorProcess(PASSIVE % BUSY_THEN_WAITING)
        self.assertEqual(sensor.receive("log")["message"], "busy")
        sensor.terminate()
        self.assertEqual(sensor.end(), (143, "cleaned up\n"))

    def test_cleans_up_and_exits_when_its_container_has_exited(self):
        sensor = SensorProcess(PASSIVE % DO_NOTHING)
        sensor.receive("ready")
        sensor.hang_up()
        self.assertEqual(sensor.end(), (143, "cleaned up\n"))

    def test_exits_with_1_and_a_reason_after_a_failure(self):
        for source, reason in (
            (PASSIVE % "raise RuntimeError('broken')", "RuntimeError: broken"),
            ("from st2reactor.sensor.base import Sensor\nclass Other(Sensor): pass", 'There is no class "Probe"'),
            ("class Probe:\n    def run(self): pass", "does not implement: add_trigger, cleanup, remove_trigger"),
            ("import nothing_of_that_name", "ModuleNotFoundError"),
            ("class Probe(", "SyntaxError"),
        ):
            with self.subTest(reason):
                sensor = SensorProcess(source)
                self.assertIn(reason, sensor.receive("failed")["error"])
                self.assertEqual(sensor.end()[0], 1)

    def test_sys_exit_keeps_its_code(self):
        self.assertEqual(SensorProcess(PASSIVE % "raise SystemExit(7)").end()[0], 7)

    def test_its_output_does_not_reach_the_channel(self):
        sensor = SensorProcess(PASSIVE % "print('{}'); self.sensor_service.dispatch('tests.event')")
        self.assertEqual(sensor.answer(result=None)["parameters"]["payload"], None)
        self.assertEqual(sensor.end(), (0, "{}\ncleaned up\n"))

    def test_refuses_calls_of_a_forked_process_with_a_reason(self):
        body = """
        import os
        if os.fork() == 0:
            try:
                self.sensor_service.dispatch('tests.event')
            except RuntimeError as error:
                print(error, flush=True)
            os._exit(0)
        os.wait()"""
        self.assertIn("has forked", SensorProcess(PASSIVE % body).end()[1])

    def test_explains_a_missing_package_of_the_shared_environment(self):
        shared = {"directory": "/nowhere", "requirements": None, "wait_seconds": 600}
        sensor = SensorProcess(
            "import jsonpath_rw\n" + PASSIVE % DO_NOTHING,
            installation={"base_path": "/base", "packs_base_paths": [], "shared": shared},
        )
        failed = sensor.receive("failed")
        self.assertRegex(
            failed["error"],
            "^ModuleNotFoundError: No module named 'jsonpath_rw'. The module \"jsonpath_rw\" comes from the shared Python "
            "environment: it does not exist for Python 3.* on this machine",
        )
        self.assertEqual(sensor.end()[0], 1)

    def test_a_sensor_knows_its_system(self):
        sensor = SensorProcess(
            PASSIVE
            % (
                "from st2common.content import utils; from st2common.util.config_loader import get_config; "
                "self.sensor_service.dispatch('tests.known', {'packs': utils.get_packs_base_paths(), 'config': "
                "get_config('tests', 'someone')})"
            ),
            config={"a": 1},
        )
        sensor.receive("ready")
        self.assertEqual(
            sensor.answer(result=None)["parameters"]["payload"], {"packs": ["/base/packs"], "config": {"a": 1}}
        )
        self.assertEqual(sensor.end()[0], 0)


if __name__ == "__main__":
    unittest.main()
