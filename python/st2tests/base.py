"""The base classes for tests of packs, in the module from which packs import them."""

from st2tests.action_aliases import BaseActionAliasTestCase
from st2tests.actions import BaseActionTestCase
from st2tests.pack_resource import BasePackResourceTestCase
from st2tests.sensors import BaseSensorTestCase

__all__ = ["BaseActionTestCase", "BaseSensorTestCase", "BaseActionAliasTestCase", "BasePackResourceTestCase"]

_NOT_OFFERED = {
    "EventletTestCase",
    "BaseDbTestCase",
    "DbTestCase",
    "DbModelTestCase",
    "CleanDbTestCase",
    "CleanFilesTestCase",
    "IntegrationTestCase",
    "RunnerTestCase",
    "ExecutionDbTestCase",
    "WorkflowTestCase",
}


def __getattr__(name):
    if name in _NOT_OFFERED:
        raise ImportError(
            "st2tests.base has no %s: it tests StackStorm's own services, not a pack. See docs/packs.md, Testing packs." % name
        )
    raise AttributeError("module 'st2tests.base' has no attribute %r" % name)
