import fcntl
import importlib
import os
import sys
import tempfile
import unittest

import switchyard_modules
from switchyard_modules import explanation, use_shared_environment, watch_imports

VERSION = "%d.%d" % sys.version_info[:2]
# A module of the shared environment that no interpreter of these tests has.
MODULE = "jsonpath_rw"


class SharedEnvironmentTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        self.packages = os.path.join(self.directory, VERSION, "lib", "python" + VERSION, "site-packages")
        self.made = os.path.join(self.directory, ".made")
        os.makedirs(self.made)
        path, modules = list(sys.path), dict(sys.modules)
        self.addCleanup(lambda: sys.path.__setitem__(slice(None), path))
        self.addCleanup(lambda: [sys.modules.pop(name) for name in set(sys.modules) - set(modules)])
        self.addCleanup(use_shared_environment, None)
        watch_imports()

    def use(self, wait_seconds=600, requirements=None):
        use_shared_environment(
            {"directory": self.directory, "requirements": requirements, "wait_seconds": wait_seconds}
        )

    def make(self, name=MODULE):
        os.makedirs(self.packages)
        with open(os.path.join(self.packages, name + ".py"), "w") as file:
            file.write("where = 'shared'\n")

    def lock(self):
        """The lock of the process that creates it."""
        lock = os.open(os.path.join(self.made, VERSION + ".lock"), os.O_RDWR | os.O_CREAT)
        fcntl.flock(lock, fcntl.LOCK_EX)
        return lock

    def missing(self, name=MODULE):
        with self.assertRaises(ModuleNotFoundError) as raised:
            importlib.import_module(name)
        return raised.exception

    def test_comes_last_on_the_module_path(self):
        self.make()
        self.use()
        self.assertEqual(sys.path[-1], self.packages)
        self.assertEqual(importlib.import_module(MODULE).where, "shared")

    def test_an_import_waits_while_it_is_being_created(self):
        lock = self.lock()
        self.use()
        looks = []

        def sleep(seconds):
            # The second check finds it complete.
            looks.append(seconds)
            if len(looks) == 2:
                self.make()
                os.close(lock)

        self.replace_sleep(sleep)
        self.assertEqual(importlib.import_module(MODULE).where, "shared")
        self.assertEqual(len(looks), 2)

    def replace_sleep(self, sleep):
        before = switchyard_modules._sleep
        switchyard_modules._sleep = sleep
        self.addCleanup(setattr, switchyard_modules, "_sleep", before)

    def test_an_import_does_not_wait_forever(self):
        lock = self.lock()
        self.addCleanup(os.close, lock)
        self.use(wait_seconds=0)
        self.assertIn("was not complete within 0 seconds", explanation(self.missing()))

    def test_the_error_names_the_reason_of_a_failed_creation(self):
        with open(os.path.join(self.made, VERSION + ".failed"), "w") as file:
            file.write("it could not be created: the package index cannot be reached\n")
        self.use()
        error = self.missing()
        self.assertEqual(str(error), "No module named '%s'" % MODULE)
        self.assertEqual(
            explanation(error),
            'The module "%s" comes from the shared Python environment: it could not be created: the package index '
            "cannot be reached. See docs/actions-python.md." % MODULE,
        )
        # Also if the pack raised an error of its own from it.
        try:
            try:
                raise error
            except ImportError:
                raise RuntimeError("needs a library")
        except RuntimeError as other:
            self.assertEqual(explanation(other), explanation(error))

    def test_the_error_names_the_version_without_an_environment(self):
        self.use()
        self.assertIn("does not exist for Python %s" % VERSION, explanation(self.missing()))

    def test_other_missing_modules_raise_the_usual_error(self):
        self.addCleanup(os.close, self.lock())
        self.use()
        self.assertIsNone(explanation(self.missing("nothing_of_that_name")))

    def test_an_import_waits_for_requirements_of_the_user(self):
        path = os.path.join(self.directory, "mine.txt")
        with open(path, "w") as file:
            file.write("# mine\nmy-own.thing\nhouse-keeping[all]==1.0 ; python_version > '3'\n")
        self.use(wait_seconds=0, requirements=path)
        self.assertIsNotNone(explanation(self.missing("house_keeping")))



if __name__ == "__main__":
    unittest.main()
