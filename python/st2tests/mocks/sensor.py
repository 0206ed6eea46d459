"""The sensor service of tests."""

from logging import RootLogger
from unittest.mock import Mock

from st2common.models.api.trace import TraceContext
from st2reactor.container.sensor_service import SensorService
from st2tests.mocks.datastore import MockDatastoreService

__all__ = ["MockSensorWrapper", "MockSensorService"]


class MockSensorWrapper:
    """Names the class and the pack that the service belongs to."""

    def __init__(self, pack, class_name):
        self._pack = pack
        self._class_name = class_name


class MockSensorService(SensorService):
    """Has the methods of the real service, and records what is dispatched in `dispatched_triggers`."""

    def __init__(self, sensor_wrapper):
        # The constructor of the real service is not called, because it needs a system.
        self._sensor_wrapper = sensor_wrapper
        self._logger = Mock(spec=RootLogger)
        self.dispatched_triggers = []
        self._datastore_service = MockDatastoreService(
            logger=self._logger, pack_name=sensor_wrapper._pack, class_name=sensor_wrapper._class_name
        )

    def get_logger(self, name):
        """:return: a mock; always the same one for a name"""
        return self._logger

    def dispatch(self, trigger, payload=None, trace_tag=None):
        trace_context = TraceContext(trace_tag=trace_tag) if trace_tag else None
        return self.dispatch_with_context(trigger, payload=payload, trace_context=trace_context)

    def dispatch_with_context(self, trigger, payload=None, trace_context=None):
        item = {"trigger": trigger, "payload": payload, "trace_context": trace_context}
        self.dispatched_triggers.append(item)
        return item
