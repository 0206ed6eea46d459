"""The action service of tests."""

from logging import RootLogger
from unittest.mock import Mock

from st2common.runners.action_service import ActionService
from st2tests.mocks.datastore import MockDatastoreService

__all__ = ["MockActionWrapper", "MockActionService"]


class MockActionWrapper:
    """Names the class and the pack that the service belongs to."""

    def __init__(self, pack, class_name):
        self._pack = pack
        self._class_name = class_name


class MockActionService(ActionService):
    """Has the methods of the real service. Its logger is a mock, so that tests can check what was logged."""

    def __init__(self, action_wrapper):
        pack, class_name = action_wrapper._pack, action_wrapper._class_name
        super().__init__(pack, class_name, logger=Mock(spec=RootLogger))
        self._action_wrapper = action_wrapper
        self._datastore_service = MockDatastoreService(logger=self._logger, pack_name=pack, class_name=class_name)
