"""Loads a sensor from a file, by the name of its class."""

import importlib.util
import os
import sys

from st2reactor.sensor.base import PollingSensor, Sensor

__all__ = ["create_sensor", "SensorLoadError"]


class SensorLoadError(Exception):
    """The file contains no sensor of that name. The text says what is wrong."""


def create_sensor(file_path, class_name, sensor_service, config, poll_interval=None):
    sensor_class = _load_class(file_path, class_name)
    arguments = {"sensor_service": sensor_service, "config": config}
    if poll_interval is not None and issubclass(sensor_class, PollingSensor):
        arguments["poll_interval"] = poll_interval
    return sensor_class(**arguments)


def _load_class(file_path, class_name):
    module = _load_module(file_path)
    sensor_class = getattr(module, class_name, None)
    if not isinstance(sensor_class, type):
        raise SensorLoadError('There is no class "%s" in "%s".' % (class_name, file_path))
    base = PollingSensor if issubclass(sensor_class, PollingSensor) else Sensor
    # A sensor does not have to derive from our base class, but it needs its methods.
    missing = [name for name in sorted(base.__abstractmethods__) if not _implements(sensor_class, name)]
    if missing:
        raise SensorLoadError(
            'The class "%s" in "%s" does not implement: %s.' % (class_name, file_path, ", ".join(missing))
        )
    return sensor_class


def _implements(sensor_class, name):
    method = getattr(sensor_class, name, None)
    return callable(method) and not getattr(method, "__isabstractmethod__", False)


def _load_module(file_path):
    if not os.path.isfile(file_path):
        raise SensorLoadError('There is no file "%s".' % file_path)
    # A sensor may import the files next to it.
    sys.path.insert(0, os.path.dirname(file_path))
    name = os.path.splitext(os.path.basename(file_path))[0]
    if name in sys.modules:
        # Others must still get their own module of that name.
        name = "sensor_" + name
    spec = importlib.util.spec_from_file_location(name, file_path)
    if spec is None or spec.loader is None:
        raise SensorLoadError('"%s" is not a Python file.' % file_path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
