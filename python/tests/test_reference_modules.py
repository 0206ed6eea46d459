import datetime
import functools
import importlib
import io
import logging
import os
import subprocess
import tempfile
import unittest
from types import SimpleNamespace
from unittest import mock

import switchyard_installation
from st2common.constants import action, keyvalue, pack
from st2common.content import utils as content
from st2common.exceptions.action import InvalidActionParameterException
from st2common.models.system.common import InvalidResourceReferenceError, ResourceReference
from st2common.util import compat, isotime, jinja, misc, shell
from st2common.util.config_loader import ContentPackConfigLoader, get_config
from st2common.util.jinja_filters import FILTERS
from st2common.util.monkey_patch import monkey_patch

# Import statements of real packs, each with the names that they use from it.
IMPORTS = {
    "from st2common import log as logging": "logging.getLogger(__name__).info",
    "import st2common": "st2common.__version__",
    "from st2common.util import isotime": "isotime.format",
    "from st2common.util import jinja as jinja_utils": "jinja_utils.render_values",
    "from st2common.util.config_loader import get_config": "get_config",
    "from st2common.util import shell": "shell.quote_unix",
    "from st2common.util.shell import run_command": "run_command",
    "from st2common.util.misc import deep_update": "deep_update",
    "from st2common.util.compat import to_ascii": "to_ascii",
    "from st2common.util.url import get_url_without_trailing_slash": "get_url_without_trailing_slash",
    "from st2common.util import date": "date.get_datetime_utc_now",
    "from st2common.util.monkey_patch import monkey_patch": "monkey_patch",
    "from st2common.content import utils as content_utils": "content_utils.get_pack_base_path",
    "from st2common.exceptions.action import InvalidActionParameterException": "InvalidActionParameterException",
    "from st2common.runners.base_action import Action": "Action",
    "from st2common.runners.utils import get_logger_for_python_runner_action": "get_logger_for_python_runner_action",
    "from st2common.models.system.common import ResourceReference": "ResourceReference",
    "from st2common.constants.meta import yaml_safe_load": "yaml_safe_load",
    "from st2actions.runners.pythonrunner import Action": "Action",
    "from st2actions.runners import pythonrunner": "pythonrunner.Action",
    "from st2reactor.sensor.base import PollingSensor, Sensor": "Sensor",
    "from svccommon.util import isotime": "isotime.parse",
    "from svccommon.content.utils import get_pack_directory": "get_pack_directory",
}


class ReferenceModulesTest(unittest.TestCase):
    def test_packs_can_import_these_modules(self):
        for statement, used in IMPORTS.items():
            scope = {"__name__": "pack"}
            exec(statement, scope)
            self.assertIsNotNone(eval(used, scope), statement)

    def test_imports_of_other_modules_fail_with_an_explanation(self):
        for statement in (
            "import st2common.persistence.action",
            "from st2common.persistence import action",
            "from st2common.util import api",
            "from st2reactor.rules import engine",
            "import svccommon.persistence",
        ):
            with self.assertRaises(ImportError) as raised:
                exec(statement, {})
            self.assertRegex(str(raised.exception), r"'(st2|svc)\w+\.[\w.]+'.*docs/actions-python\.md")

    def test_packs_can_catch_the_failed_import(self):
        try:
            importlib.import_module("st2common.persistence")
        except ImportError:
            return
        self.fail("it was imported")

    def test_errors_are_those_of_stackstorm(self):
        base = importlib.import_module("st2common.exceptions").StackStormBaseException
        self.assertTrue(issubclass(InvalidActionParameterException, base))

    def test_threads_become_green_threads_with_eventlet(self):
        patched = []
        with mock.patch.dict("sys.modules", eventlet=SimpleNamespace(monkey_patch=lambda **parts: patched.append(parts))):
            monkey_patch()
            monkey_patch(patch_thread=False)
        every = {"os": True, "select": True, "socket": True, "thread": True, "time": True}
        self.assertEqual(patched, [every, {**every, "thread": False}])

    def test_statuses(self):
        self.assertEqual(len(action.LIVEACTION_STATUSES), 14)
        self.assertEqual(
            sorted(action.LIVEACTION_COMPLETED_STATES), ["abandoned", "canceled", "failed", "succeeded", "timeout"]
        )
        self.assertEqual((keyvalue.FULL_USER_SCOPE, pack.SYSTEM_PACK_NAME), ("st2kv.user", "core"))

    def test_references(self):
        reference = ResourceReference.from_string_reference("core.local.more")
        self.assertEqual((reference.pack, reference.name, reference.ref), ("core", "local.more", "core.local.more"))
        with self.assertRaises(InvalidResourceReferenceError):
            ResourceReference.get_name("core")
        with self.assertRaises(ValueError):
            ResourceReference(pack="a.b", name="c")

    def test_loggers(self):
        log = importlib.import_module("st2common.log")
        logger = log.getLogger("pack.module")
        stream = io.StringIO()
        handler = logging.StreamHandler(stream)
        handler.setFormatter(logging.Formatter("%(levelname)s %(name)s %(funcName)s %(_name)s %(message)s"))
        logger.addHandler(handler)
        logger.setLevel("INFO")
        logger.info("%s", "said", extra={"name": "a"})
        logger.audit("kept", extra={"name": "b"})
        logger.debug("dropped", extra={"name": "c"})
        logger.removeHandler(handler)
        here = "test_loggers"
        self.assertEqual(
            stream.getvalue(),
            "INFO st2.pack.module %s a said\nAUDIT st2.pack.module %s b kept\n" % (here, here),
        )
        self.assertIs(log.getLogger("st2.pack.module"), logger)

    def test_times(self):
        at = datetime.datetime(2026, 3, 1, 10, 0, 0, 5, datetime.timezone.utc)
        self.assertEqual(isotime.format(at), "2026-03-01T10:00:00.000005+00:00")
        self.assertEqual(isotime.format(at, usec=False, offset=False), "2026-03-01T10:00:00Z")
        self.assertEqual(isotime.format(0, usec=False), "1970-01-01T00:00:00+00:00")
        self.assertTrue(isotime.validate("2026-03-01 10:00:00.000Z"))
        self.assertFalse(isotime.validate("2026-03-01", raise_exception=False))
        with self.assertRaises(ValueError):
            isotime.validate("2026-03-01T10:00:00+02:00")

    def test_templates_are_recognized(self):
        found = [jinja.is_jinja_expression(value) for value in ("{{ a }}", "a", 5, None)]
        self.assertEqual(found, [True, False, False, False])
        self.assertEqual(
            jinja.convert_jinja_to_raw_block({"a": ["{{ b }}", "c", 1]}), {"a": ["{% raw %}{{ b }}{% endraw %}", "c", 1]}
        )
        self.assertEqual(jinja.render_values({"a": "{{ b }}"}, {}), {"a": "{{ b }}"})

    def test_filters(self):
        human = FILTERS["to_human_time_from_seconds"]
        self.assertEqual([human(s) for s in (0, 5, 65, 3600, 90061.4)], ["0s", "5s", "1m5s", "1h0m0s", "1d1h1m1s"])
        self.assertEqual(FILTERS["regex_replace"]("aXb", "x", "-", ignorecase=True), "a-b")
        self.assertEqual(FILTERS["regex_substring"]("a1b2", r"\d", 1), "2")


class InstallationTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.base = os.path.realpath(directory.name)
        os.makedirs(os.path.join(self.base, "other/garden/actions"))
        paths = [os.path.join(self.base, name) for name in ("packs", "other")]
        switchyard_installation.describe(
            {"base_path": self.base, "packs_base_paths": paths, "pack": "garden", "config": {"token": "t"}}
        )
        self.addCleanup(switchyard_installation.describe, {})

    def test_commands_run_and_return_their_output(self):
        self.assertEqual(shell.run_command("echo $A; echo e >&2; exit 3", shell=True, env={"A": "b"}), (3, "b\n", "e\n"))
        self.assertEqual(shell.run_command(["printf", "%s", "$A é"]), (0, "$A é", ""))
        self.assertEqual(shell.run_command("true", stdout=subprocess.DEVNULL), (0, "", ""))
        self.assertRaises(TypeError, shell.run_command, 5)
        self.assertEqual(shell.quote_unix("it's"), "'it'\"'\"'s'")
        self.assertEqual(shell.quote_windows('a "b"'), '"a \\"b\\""')

    def test_texts_of_python_2(self):
        self.assertEqual(compat.to_ascii("häß"), "h")
        self.assertEqual(compat.to_unicode("é"), "é")
        self.assertRaises(ValueError, compat.to_unicode, b"e")

    def test_dictionaries_and_output_of_commands(self):
        self.assertEqual(misc.prefix_dict_keys({"a": 1}), {"_a": 1})
        self.assertEqual(sorted(["/b/a", "/a/b"], key=functools.cmp_to_key(misc.compare_path_file_name)), ["/b/a", "/a/b"])
        self.assertEqual(misc.sanitize_output("a\r\nb\r\n\n", uses_pty=True), "a\nb\n")
        self.assertEqual(misc.strip_shell_chars("a\r\n"), "a")
        self.assertEqual(misc.rstrip_last_char("", "\n"), "")
        self.assertEqual(misc.deep_update({"a": {"b": 1}, "c": 2}, {"a": {"d": 3}, "c": [4]}), {"a": {"b": 1, "d": 3}, "c": [4]})
        self.assertEqual(misc.lowercase_value(["A", 1]), ["a", "1"])
        self.assertEqual(misc.lowercase_value({"A": True}), {"a": "true"})
        self.assertIsNone(misc.lowercase_value(None))

    def test_knows_the_directories_of_packs(self):
        garden = os.path.join(self.base, "other/garden")
        self.assertEqual(content.get_pack_base_path("garden"), garden)
        self.assertEqual(content.get_pack_base_path("garden", include_trailing_slash=True), garden + "/")
        self.assertEqual(content.get_pack_base_path("forest"), os.path.join(self.base, "packs/forest"))
        self.assertIsNone(content.get_pack_directory("forest"))
        self.assertTrue(content.check_pack_content_directory_exists("garden", "actions"))
        self.assertEqual(content.get_entry_point_abs_path("garden", "weed.py"), garden + "/actions/weed.py")
        self.assertEqual(content.get_relative_path_to_pack_file("garden", garden + "/a/b"), "a/b")
        for path in ("../forest/a", "/etc/passwd", "a/../../b"):
            with self.assertRaises(ValueError):
                content.get_pack_file_abs_path("garden", path)

    def test_has_the_configuration_of_its_own_pack(self):
        self.assertEqual(get_config("garden", "somebody"), {"token": "t"})
        self.assertEqual(ContentPackConfigLoader("garden").get_config(), {"token": "t"})
        self.assertEqual(get_config("garden", None), {})
        with self.assertRaisesRegex(RuntimeError, "forest"):
            get_config("forest", "somebody")

    def test_other_processes_do_not_know_the_installation(self):
        switchyard_installation.describe({})
        with self.assertRaisesRegex(RuntimeError, "not started by Switchyard"):
            content.get_packs_base_paths()


if __name__ == "__main__":
    unittest.main()
