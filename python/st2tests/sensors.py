"""Tests of sensors."""

from st2tests.mocks.sensor import MockSensorService, MockSensorWrapper
from st2tests.pack_resource import BasePackResourceTestCase

__all__ = ["BaseSensorTestCase"]


class BaseSensorTestCase(BasePackResourceTestCase):
    """Set `sensor_cls` to the class under test. `sensor_service` records what the sensor dispatches."""

    sensor_cls = None

    def setUp(self):
        super().setUp()
        wrapper = MockSensorWrapper(pack="tests", class_name=self.sensor_cls.__name__)
        self.sensor_service = MockSensorService(wrapper)

    def get_sensor_instance(self, config=None, poll_interval=None):
        """:return: a sensor with this configuration of its pack; `setup` is not called"""
        arguments = {"sensor_service": self.sensor_service}
        if config:
            arguments["config"] = config
        if poll_interval is not None:
            arguments["poll_interval"] = poll_interval
        return self.sensor_cls(**arguments)

    def get_dispatched_triggers(self):
        """:return: dictionaries with `trigger`, `payload` and `trace_context`, in the order of dispatch"""
        return self.sensor_service.dispatched_triggers

    def get_last_dispatched_trigger(self):
        return self.sensor_service.dispatched_triggers[-1]

    def assertTriggerDispatched(self, trigger, payload=None, trace_context=None):
        """Payload and trace context are compared if they are given and not empty."""
        for item in self.get_dispatched_triggers():
            if (
                item["trigger"] == trigger
                and (not payload or item["payload"] == payload)
                and (not trace_context or item["trace_context"] == trace_context)
            ):
                return True
        raise AssertionError('Trigger "%s" hasn\'t been dispatched' % (trigger,))
