"""
Modules that packs import without having them in their requirements.

- Packages of the shared environment come last on the module path. While that environment is being created, imports of its
  modules wait for it.
- Imports of StackStorm's modules that Switchyard does not offer fail with an error that says so.
"""

import os
import sys
import time

# `importlib.machinery` exports it too, but loading that takes time in every interpreter.
from _frozen_importlib_external import PathFinder

__all__ = ["explanation", "use_shared_environment", "watch_imports"]

PAGE = "docs/actions-python.md"
_STACKSTORM = ("st2common", "st2actions", "st2reactor", "st2tests", "st2api", "st2auth", "svccommon", "svcreactor")
_SHARED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shared")
_LOOK_EVERY_S = 0.2

# Packs may replace these by functions that switch green threads.
_sleep, _monotonic = time.sleep, time.monotonic


class _SharedEnvironment:
    """The environments of all versions of Python; see `libs/content/src/virtualenvs/shared-environment.ts`."""

    def __init__(self, directory, requirements, wait_seconds):
        """
        :param directory: contains one environment for each version, such as `3.11`, and `.made` with unfinished ones
        :param requirements: a file of the user, or None
        :param wait_seconds: the maximum time that an import waits
        """
        version = "%d.%d" % sys.version_info[:2]
        self._packages = os.path.join(directory, version, "lib", "python" + version, "site-packages")
        self._making = os.path.join(directory, ".made", version)
        self._version = version
        self._requirements = requirements
        self._wait_seconds = wait_seconds
        self._names = None
        self._hindrance = None
        self.missed = {}

    def append(self):
        """:return: whether the environment is on the module path"""
        if self._packages not in sys.path:
            if not os.path.isdir(self._packages):
                return False
            sys.path.append(self._packages)
        return True

    def find(self, name):
        """:return: the location of the module, or None"""
        if name not in self._offered():
            return None
        if self._packages not in sys.path and self._hindrance is None:
            self._hindrance = self._wait()
        if self._hindrance is None:
            found = PathFinder.find_spec(name, [self._packages])
            if found is not None:
                return found
        self.missed[name] = self._hindrance or "it does not have the module"
        return None

    def _wait(self):
        """:return: why there is no environment, or None if there is one"""
        deadline = _monotonic() + self._wait_seconds
        while not self.append():
            if not self._is_being_made():
                # It may have been completed between the two checks.
                return None if self.append() else self._reason()
            if _monotonic() > deadline:
                return "it was not complete within %d seconds" % self._wait_seconds
            _sleep(_LOOK_EVERY_S)
        return None

    def _is_being_made(self):
        """The process that creates it holds a lock, which the operating system releases when that process ends."""
        import fcntl

        try:
            lock = os.open(self._making + ".lock", os.O_RDONLY)
        except OSError:
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
        except OSError:
            return True
        finally:
            os.close(lock)

    def _reason(self):
        try:
            with open(self._making + ".failed", encoding="utf-8") as file:
                return file.read().strip()
        except OSError:
            return "it does not exist for Python %s on this machine (%s)" % (self._version, self._packages)

    def _offered(self):
        if self._names is None:
            self._names = set(_lines(os.path.join(_SHARED, "modules.txt")))
            if self._requirements is not None:
                self._names.update(_distribution(line) for line in _lines(self._requirements))
        return self._names


class _LastResort:
    """Called for modules that no other finder has found."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in _STACKSTORM:
            # Without a name, so that `from st2common.util import x` does not replace the text by its own.
            raise ModuleNotFoundError(
                "No module named '%s': Switchyard does not offer this module of StackStorm; %s lists those that it "
                "offers." % (name, PAGE)
            )
        return _shared.find(name) if _shared is not None and "." not in name else None


_shared = None


def watch_imports():
    """Installs the finder for modules that no other finder has found."""
    if _LastResort not in sys.meta_path:
        sys.meta_path.append(_LastResort)


def use_shared_environment(facts):
    """:param facts: `directory`, `requirements` and `wait_seconds`; None if there is no shared environment"""
    global _shared
    _shared = None if facts is None else _SharedEnvironment(**facts)
    if _shared is not None:
        _shared.append()


def explanation(error):
    """:return: why a module of the shared environment is missing, if that is the cause of the error; otherwise None"""
    seen = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        name = (getattr(error, "name", None) or "").partition(".")[0] if isinstance(error, ImportError) else ""
        if _shared is not None and name in _shared.missed:
            return 'The module "%s" comes from the shared Python environment: %s. See %s.' % (
                name,
                _shared.missed[name],
                PAGE,
            )
        error = error.__cause__ or error.__context__
    return None


def _lines(path):
    try:
        with open(path, encoding="utf-8") as file:
            return [line.strip() for line in file if line.strip() and not line.startswith("#")]
    except OSError:
        return []


def _distribution(line):
    """:return: the name that the module of a package usually has"""
    name = line.split(";")[0].strip()
    for end in ("[", "=", "<", ">", "!", "~", " ", "@"):
        name = name.split(end)[0]
    return name.replace("-", "_")
