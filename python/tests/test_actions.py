import json
import logging
import subprocess
import sys
import unittest

from st2common.runners.action_service import ActionService
from st2common.runners.base_action import Action
from st2common.runners.pack_config import PackConfig
from tests.container import ROOT


class PackConfigTest(unittest.TestCase):
    def test_names_the_file_when_a_key_is_missing(self):
        config = PackConfig({"a": 1}, "garden", "/etc/garden.yaml")
        self.assertEqual((config["a"], config.get("b"), dict(config), json.dumps(config)), (1, None, {"a": 1}, '{"a": 1}'))
        with self.assertRaisesRegex(ValueError, 'pack "garden" is missing key "b".*"/etc/garden.yaml"'):
            config["b"]

    def test_is_also_the_configuration_of_an_action_created_by_hand(self):
        class Plain(Action):
            def run(self):
                return self.config["b"]

        self.assertEqual(Plain({"b": 2}, ActionService("garden", "Plain")).run(), 2)
        for given in (None, {"a": 1}):
            with self.assertRaisesRegex(ValueError, 'pack "garden" is missing key "b".*"configs/garden.yaml"'):
                Plain(given, ActionService("garden", "Plain")).run()
        config = PackConfig({"b": 3}, "garden", "/etc/garden.yaml")
        self.assertIs(Plain(config).config, config)


class LoggerTest(unittest.TestCase):
    def test_every_action_has_the_logger_of_its_class(self):
        class Plain(Action):
            def run(self):
                pass

        class Forgetful(Plain):
            def __init__(self):
                pass

        class Stubborn(Plain):
            logger = "of the class"

        for action in (Plain(), Forgetful(), Stubborn()):
            name = "st2.actions.python." + type(action).__name__
            self.assertIs(action.logger, logging.getLogger(name))
            self.assertIs(action.logger, action.logger)
        replaced = Plain()
        replaced.logger = "another"
        self.assertEqual(replaced.logger, "another")


# An action waits for its interpreter, so nothing is imported before it is needed.
_IMPORTED = """
import importlib.util, json, sys
before = set(sys.modules)
import st2common.runners.single_action
rest = (name for name in set(sys.modules) - before if not name.startswith("st2common"))
print(",".join(sorted(rest)))
"""
_CHEAP = {"_stat", "atexit", "gc", "genericpath", "os", "os.path", "posixpath", "stat"}
_OWN = {"switchyard_installation", "switchyard_modules"}


class ImportsTest(unittest.TestCase):
    def test_an_action_loads_little_of_the_standard_library(self):
        command = [sys.executable, "-S", "-c", _IMPORTED]
        imported = subprocess.check_output(command, cwd=ROOT, universal_newlines=True)
        self.assertEqual(set(imported.strip().split(",")) - _CHEAP - _OWN - {""}, set())


class NamesTest(unittest.TestCase):
    def test_the_base_class_is_the_same_under_all_its_names(self):
        from st2actions.runners.pythonrunner import Action as oldest
        from svccommon.runners.base_action import Action as own

        self.assertIs(own, Action)
        self.assertIs(oldest, Action)


if __name__ == "__main__":
    unittest.main()
