"""
Runs the tests of a pack in this interpreter: with pytest if it is installed, otherwise with unittest. `svc pack test` starts
it in the environment of the tests.
"""

import argparse
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import sys

from switchyard_modules import use_shared_environment, watch_imports

OURS = os.path.dirname(os.path.abspath(__file__))
# Directories with modules of packs, in the order of StackStorm's script.
_FOLDERS = ("lib", "sensors", "actions", os.path.join("actions", "lib"), "etc")
_USAGE = 2
# The exit codes of pytest, which StackStorm's script runs.
_NO_SUCH_TEST = 4


def main(words):
    options = _parser().parse_args(words)
    pack = os.path.realpath(options.pack)
    _prepare_imports(pack)
    watch_imports()
    use_shared_environment(json.loads(options.shared))
    os.chdir(pack)
    tests = os.path.join(pack, "tests")
    file, _, names = (options.file or "").partition("::")
    place = os.path.join(tests, file)
    if not os.path.exists(place):
        sys.stderr.write("There is no %s.\n" % place)
        return _NO_SUCH_TEST
    if options.verbose:
        _describe(options)
    print("Running tests...", flush=True)
    if _uses_pytest(options):
        return _run_pytest(options, pack, place + ("::" + names if names else ""))
    if options.coverage:
        sys.stderr.write("-c needs pytest and pytest-cov.\n")
        return _USAGE
    from st2tests.run_unittest import run_unittest

    return run_unittest(place, names.split("::") if names else [], timing=options.timing)


def _parser():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pack", help="directory of the pack")
    parser.add_argument("--file", help="relative to tests/: FILE, FILE::CLASS or FILE::CLASS::METHOD")
    parser.add_argument("--shared", default="null", help="the argument of `use_shared_environment`")
    parser.add_argument("--runner", choices=("pytest", "unittest"))
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--timing", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    return parser


def _prepare_imports(pack):
    folders = [pack, *(os.path.join(pack, folder) for folder in _FOLDERS)]
    sys.path[:] = [*folders, OURS, *(entry for entry in sys.path if entry not in ("", OURS))]
    # For programs that tests start.
    inherited = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry not in ("", OURS)]
    os.environ["PYTHONPATH"] = os.pathsep.join([*folders[1:], OURS, *inherited])
    sys.meta_path.insert(0, _TestsFinder())


class _TestsFinder(importlib.abc.MetaPathFinder):
    """Keeps the tests of our own modules from hiding those of the pack, which may have no `__init__.py`."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname != "tests":
            return None
        return importlib.machinery.PathFinder.find_spec(fullname, [entry for entry in sys.path if entry != OURS])


def _uses_pytest(options):
    return options.runner != "unittest" and (options.runner == "pytest" or importlib.util.find_spec("pytest") is not None)


def _describe(options):
    print("Python: %s (%s)" % (sys.executable, sys.version.split()[0]))
    print("Runner: %s" % ("pytest" if _uses_pytest(options) else "unittest"))
    print("Search path: %s" % os.pathsep.join(sys.path))
    print("Installed packages: %s" % ", ".join(_installed_packages()), flush=True)


def _installed_packages():
    try:
        from importlib.metadata import distributions
    except ImportError:  # Python 3.7 and older
        from pkg_resources import working_set

        return sorted("%s %s" % (one.project_name, one.version) for one in working_set)
    return sorted({"%s %s" % (one.metadata["Name"], one.version) for one in distributions()})


def _run_pytest(options, pack, place):
    try:
        import pytest
    except ImportError:
        sys.stderr.write("pytest is not installed for %s.\n" % sys.executable)
        return _USAGE
    arguments = ["-s", "-v", "--rootdir", pack, "-p", "no:cacheprovider"]
    if options.timing:
        arguments.append("--durations=0")
    if options.coverage:
        arguments += ["--cov=" + entry.path for entry in os.scandir(pack) if entry.is_dir() and entry.name not in ("tests", ".git")]
    return int(pytest.main([*arguments, place]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
