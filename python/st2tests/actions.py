"""Tests of Python actions."""

from st2common.runners.load_action import new_action
from st2tests.mocks.action import MockActionService, MockActionWrapper
from st2tests.pack_resource import BasePackResourceTestCase

__all__ = ["BaseActionTestCase"]


class BaseActionTestCase(BasePackResourceTestCase):
    """Set `action_cls` to the class under test. The datastore of `action_service` is in memory."""

    action_cls = None

    def setUp(self):
        super().setUp()
        wrapper = MockActionWrapper(pack="tests", class_name=self.action_cls.__name__)
        self.action_service = MockActionService(wrapper)

    def get_action_instance(self, config=None):
        """:return: an action with this configuration of its pack"""
        return new_action(self.action_cls, config, self.action_service)
