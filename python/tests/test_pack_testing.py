"""The base classes for tests of packs, used as in a pack."""

import json
import os
import unittest

from st2common.models.system.action import ShellScriptAction
from st2common.runners.base_action import Action
from st2reactor.sensor.base import PollingSensor
from st2tests.alias_format import ParseException, extract_parameters
from st2tests.base import BaseActionTestCase, BaseSensorTestCase
from tests.container import ROOT

_COMMANDS = os.path.join(ROOT, "..", "libs", "model", "test", "alias", "commands.json")


class AliasFormatTest(unittest.TestCase):
    def test_matches_as_in_the_system(self):
        with open(_COMMANDS, encoding="utf-8") as file:
            rows = json.load(file)
        for format_string, command, expected in rows:
            with self.subTest(format=format_string, command=command):
                if expected is None:
                    with self.assertRaises(ParseException):
                        extract_parameters(format_string, command)
                else:
                    found = extract_parameters(format_string, command)
                    self.assertEqual({name: value for name, value in found.items() if value is not None}, expected)

    def test_returns_every_match_and_none_for_groups_that_did_not_match(self):
        several = r"(?:\s+|^)(?P<key>[A-Z]+-[0-9]+)(?:\s|$)"
        self.assertEqual(
            extract_parameters(several, "AB-1 and CD-2 by=me", match_multiple=True),
            [{"key": "AB-1", "by": "me"}, {"key": "CD-2", "by": "me"}],
        )
        self.assertEqual(extract_parameters(r"up (?P<n>[0-9]+)( (?P<unit>\w+))?", "up 5"), {"n": "5", "unit": None})


class Water(Action):
    def run(self, bed):
        self.logger.info("watering")
        self.action_service.set_value("last", bed)
        return self.config.get("pump"), self.action_service.get_value("last")


class OldWater(Action):
    def __init__(self, config):
        super().__init__(config)

    def run(self):
        return self.action_service.get_user_info()["username"]


class WaterTest(BaseActionTestCase):
    action_cls = Water

    def test_action_has_its_configuration_and_a_datastore(self):
        self.assertEqual(self.get_action_instance({"pump": "on"}).run(bed=3), ("on", 3))
        self.assertEqual(self.get_action_instance().run(bed=4), (None, 4))

    def test_datastore_separates_local_and_global_items(self):
        service = self.action_service
        service.set_value("a", 1)
        service.set_value("a", {"any": "value"}, local=False, ttl=5)
        self.assertEqual([service.get_value("a"), service.get_value("a", local=False)], [1, {"any": "value"}])
        self.assertEqual([item.name for item in service.list_values()], ["tests.Water:a"])
        self.assertEqual(len(service.list_values(local=False)), 2)
        self.assertEqual([service.delete_value("a"), service.delete_value("a"), service.get_value("a")], [True, False, None])
        service.datastore_service._logger.warning.assert_called_once()


class OldWaterTest(BaseActionTestCase):
    action_cls = OldWater

    def test_the_constructor_does_not_have_to_take_the_action_service(self):
        self.assertEqual(self.get_action_instance({}).run(), "admin")


class Gauge(PollingSensor):
    def setup(self):
        pass

    def poll(self):
        self.sensor_service.get_logger("gauge").info("polling")
        self.sensor_service.dispatch("garden.dry", {"bed": self.config.get("bed")}, trace_tag="t1")
        self.sensor_service.dispatch("garden.done")

    def cleanup(self):
        pass

    add_trigger = update_trigger = remove_trigger = lambda self, trigger: None


class GaugeTest(BaseSensorTestCase):
    sensor_cls = Gauge

    def test_records_what_was_dispatched(self):
        sensor = self.get_sensor_instance({"bed": 2}, poll_interval=1)
        sensor.poll()
        self.assertTriggerDispatched("garden.dry")
        self.assertTriggerDispatched("garden.dry", payload={"bed": 2})
        for trigger, payload in (("garden.wet", None), ("garden.dry", {"bed": 3})):
            with self.assertRaisesRegex(AssertionError, 'Trigger "%s" hasn\'t been dispatched' % trigger):
                self.assertTriggerDispatched(trigger, payload)
        self.assertEqual([item["trigger"] for item in self.get_dispatched_triggers()], ["garden.dry", "garden.done"])
        self.assertEqual(self.get_dispatched_triggers()[0]["trace_context"].trace_tag, "t1")
        self.assertEqual(self.get_last_dispatched_trigger()["payload"], None)
        self.assertEqual(sensor.get_poll_interval(), 1)
        self.sensor_service.get_logger("any").info.assert_called_once_with("polling")


class ScriptArgumentsTest(unittest.TestCase):
    def test_are_passed_as_in_a_script(self):
        named = {"--bed": 3, "--wet": True, "--dry": False, "--none": None, "--empty": "", "--text": "two words"}
        script = ShellScriptAction("water", "id", "/packs/water it.sh", named, ["a b"])
        self.assertEqual(script.get_full_command_string(), "'/packs/water it.sh' --bed=3 --wet --text='two words' 'a b'")


class NotOfferedTest(unittest.TestCase):
    def test_the_error_names_the_class(self):
        with self.assertRaisesRegex(ImportError, "has no DbTestCase.*docs/packs.md"):
            from st2tests.base import DbTestCase  # noqa: F401


if __name__ == "__main__":
    unittest.main()
