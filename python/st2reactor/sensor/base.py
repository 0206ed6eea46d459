"""The base classes of the sensors of packs."""

import abc
import time

__all__ = ["Sensor", "PollingSensor"]

DEFAULT_POLL_INTERVAL = 5


class BaseSensor(abc.ABC):
    """The part that both kinds of sensors have in common."""

    def __init__(self, sensor_service, config=None):
        """
        :param sensor_service: the services of the system for sensors
        :param config: the configuration of the pack, a dictionary
        """
        self._sensor_service = sensor_service
        self._config = config or {}
        self.sensor_service = self._sensor_service
        self.config = self._config

    @abc.abstractmethod
    def setup(self):
        """Called once, before all other methods."""

    @abc.abstractmethod
    def run(self):
        """Runs the sensor. Returns when the sensor has finished for good."""

    @abc.abstractmethod
    def cleanup(self):
        """Called once when the sensor stops."""

    @abc.abstractmethod
    def add_trigger(self, trigger):
        """Called for each trigger of the sensor's trigger types, including existing ones."""

    @abc.abstractmethod
    def update_trigger(self, trigger):
        """Called when such a trigger changes."""

    @abc.abstractmethod
    def remove_trigger(self, trigger):
        """Called when such a trigger is removed."""


class Sensor(BaseSensor):
    """A passive sensor: `run` blocks, and dispatches whenever something happens."""


class PollingSensor(BaseSensor):
    """An active sensor: `poll` is called repeatedly."""

    def __init__(self, sensor_service, config=None, poll_interval=DEFAULT_POLL_INTERVAL):
        super().__init__(sensor_service=sensor_service, config=config)
        self._poll_interval = poll_interval

    @abc.abstractmethod
    def poll(self):
        """Checks once whether something has happened."""

    def run(self):
        while True:
            self.poll()
            time.sleep(self._poll_interval)

    def get_poll_interval(self):
        """:return: seconds between the end of one poll and the start of the next"""
        return self._poll_interval

    def set_poll_interval(self, poll_interval):
        self._poll_interval = poll_interval
