import os

from fires import describe

from st2reactor.sensor.base import PollingSensor


class BeaconSensor(PollingSensor):
    def __init__(self, sensor_service, config=None, poll_interval=None):
        super().__init__(sensor_service=sensor_service, config=config, poll_interval=poll_interval)
        self._logger = self.sensor_service.get_logger(name=self.__class__.__name__)

    def setup(self):
        self._seen = int(self.sensor_service.get_value("seen") or 0)

    def poll(self):
        for name in self._new_names():
            self._logger.info("A fire on %s", name)
            self.sensor_service.dispatch(trigger="beacon.lit", payload=describe(name))
            self._seen += 1
            self.sensor_service.set_value("seen", self._seen)

    def cleanup(self):
        pass

    def add_trigger(self, trigger):
        pass

    def update_trigger(self, trigger):
        pass

    def remove_trigger(self, trigger):
        pass

    def _new_names(self):
        if not os.path.exists(self.config["spool"]):
            return []
        with open(self.config["spool"]) as spool:
            return spool.read().split()[self._seen :]
