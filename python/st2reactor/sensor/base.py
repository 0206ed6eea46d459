"""What the sensors of packs derive from."""

import abc
import time

__all__ = ["Sensor", "PollingSensor"]

DEFAULT_POLL_INTERVAL = 5


class BaseSensor(abc.ABC):
    """The part that both kinds of sensors share."""

    def __init__(self, sensor_service, config=None):
        """
        :param sensor_service: what a sensor talks to the system with
        :param config: the configuration of the pack, a dictionary
        """
        self._sensor_service = sensor_service
        self._config = config or {}
        self.sensor_service = self._sensor_service
        self.config = self._config

    @abc.abstractmethod
    def setup(self):
        """Is called once, before anything else of the sensor runs."""

    @abc.abstractmethod
    def run(self):
        """Does the work. It returns when there is nothing more to do, ever."""

    @abc.abstractmethod
    def cleanup(self):
        """Is called once when the sensor stops."""

    @abc.abstractmethod
    def add_trigger(self, trigger):
        """Is told of each trigger of the sensor's trigger types, those that exist already included."""

    @abc.abstractmethod
    def update_trigger(self, trigger):
        """Is told of each change of such a trigger."""

    @abc.abstractmethod
    def remove_trigger(self, trigger):
        """Is told when such a trigger is gone."""


class Sensor(BaseSensor):
    """A passive sensor: `run` blocks, and dispatches whenever something happens."""


class PollingSensor(BaseSensor):
    """An active sensor: `poll` is called again and again."""

    def __init__(self, sensor_service, config=None, poll_interval=DEFAULT_POLL_INTERVAL):
        super().__init__(sensor_service=sensor_service, config=config)
        self._poll_interval = poll_interval

    @abc.abstractmethod
    def poll(self):
        """Looks once whether something has happened."""

    def run(self):
        while True:
            self.poll()
            time.sleep(self._poll_interval)

    def get_poll_interval(self):
        """:return: seconds between the end of one poll and the beginning of the next"""
        return self._poll_interval

    def set_poll_interval(self, poll_interval):
        self._poll_interval = poll_interval
