"""Runs one sensor for the sensor container; see `st2reactor/container/sensor_wrapper.py`."""

from st2reactor.container.sensor_wrapper import SensorWrapper

if __name__ == "__main__":
    SensorWrapper().run()
