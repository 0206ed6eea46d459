"""Runs the test files that pytest would find with unittest."""

import fnmatch
import importlib
import os
import sys
import time
import unittest

__all__ = ["run_unittest"]

_PATTERNS = ("test_*.py", "*_test.py")
_FAILED, _NO_SUCH_TEST, _NO_TESTS = 1, 4, 5


def run_unittest(place, names, timing=False):
    """
    :param place: a directory, or a file
    :param names: for a file, a class and possibly a method
    :return: an exit code, as in pytest
    """
    suite = unittest.TestSuite()
    for file in _files_of(place):
        suite.addTest(_tests_of(file, names))
    if names and suite.countTestCases() == 0:
        sys.stderr.write("There is no %s in %s.\n" % ("::".join(names), place))
        return _NO_SUCH_TEST
    runner = unittest.TextTestRunner(verbosity=2, resultclass=_TimedResult if timing else None)
    result = runner.run(suite)
    if not result.wasSuccessful():
        return _FAILED
    return 0 if result.testsRun else _NO_TESTS


def _files_of(place):
    if os.path.isfile(place):
        return [place]
    found = []
    for folder, folders, files in os.walk(place):
        folders.sort()
        found += [os.path.join(folder, file) for file in sorted(files) if any(fnmatch.fnmatch(file, one) for one in _PATTERNS)]
    return found


def _tests_of(file, names):
    try:
        module = importlib.import_module(_module_name(file))
    except Exception as error:
        return _broken(file, error)
    classes = [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, unittest.TestCase)]
    # `__test__ = False` marks base classes, in pytest and formerly in nose.
    classes = [one for one in classes if getattr(one, "__test__", True)]
    if names:
        classes = [one for one in classes if one.__name__ == names[0]]
    if len(names) > 1:
        return unittest.TestSuite(one(names[1]) for one in classes if hasattr(one, names[1]))
    return unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(one) for one in classes)


def _module_name(file):
    """Adds the directory above the outermost package to the search path."""
    folder, name = os.path.split(os.path.splitext(file)[0])
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        name = "%s.%s" % (package, name)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return name


def _broken(file, error):
    def import_module():
        raise error

    return unittest.FunctionTestCase(import_module, description="import of %s" % file)


class _TimedResult(unittest.TextTestResult):
    def startTest(self, test):
        self._started = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        super().stopTest(test)
        self.stream.writeln("    %.3f s" % (time.monotonic() - self._started))
