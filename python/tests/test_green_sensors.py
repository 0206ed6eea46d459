"""Sensors that replace threads by green threads, as `eventlet.monkey_patch` does."""

import importlib.util
import json
import select
import socket
import threading
import unittest
from unittest import mock

from st2reactor.container.channel import Channel
from st2reactor.container.trigger_queue import TriggerQueue
from tests.container import SensorProcess

GREEN = """
import eventlet
eventlet.monkey_patch()
import time
from st2reactor.sensor.base import Sensor

class Probe(Sensor):
    def setup(self):
        pass
    def run(self):
        self.sensor_service.dispatch("tests.main")
        eventlet.spawn(self.sensor_service.dispatch, "tests.green").wait()
        %s
    def cleanup(self):
        time.sleep(0)
        print("cleaned up")
    def add_trigger(self, trigger):
        self.sensor_service.dispatch("tests.added", trigger)
    update_trigger = remove_trigger = add_trigger
"""
WAIT = "eventlet.spawn(time.sleep, 3600).wait()"
BE_BUSY = "eventlet.spawn(lambda: [time.sleep(0) for _ in iter(int, 1)]); time.sleep(3600)"


def refuse(*_arguments, **_named):
    raise AssertionError("replaced by the sensor")


class ReplacedThreadsTest(unittest.TestCase):
    def test_calls_use_no_lock_that_a_sensor_may_have_replaced(self):
        ours, theirs = socket.socketpair()
        channel = Channel(theirs.detach(), refuse, lambda: None)
        channel.start()

        def answer():
            call = json.loads(ours.makefile("r").readline())
            ours.sendall((json.dumps({"type": "reply", "id": call["id"], "result": call["method"]}) + "\n").encode())

        container = threading.Thread(target=answer)
        container.start()
        self.addCleanup(ours.close)
        self.addCleanup(container.join)
        with mock.patch.multiple(threading, Lock=refuse, Event=refuse, Condition=refuse, _allocate_lock=refuse):
            self.assertEqual(channel.call("dispatch"), "dispatch")

    def test_waits_for_triggers_with_the_functions_of_the_sensor(self):
        triggers = TriggerQueue()
        waits = []
        really = select.select

        def green_select(*files):
            waits.append(1)
            other = threading.Thread(target=triggers.put, args=("second",))
            other.start()
            other.join()
            return really(*files)

        triggers.put("first")
        with mock.patch.object(select, "select", green_select):
            self.assertEqual([triggers.take(), len(waits)], ["first", 0])
            # The pipe may still have a byte from the first message, so there may be two waits.
            self.assertEqual(triggers.take(), "second")
            self.assertGreaterEqual(len(waits), 1)


@unittest.skipIf(importlib.util.find_spec("eventlet") is None, "eventlet is not installed")
class EventletTest(unittest.TestCase):
    def dispatched(self, sensor):
        return sensor.answer(result=None)["parameters"]["trigger"]

    def test_dispatches_from_the_main_thread_and_from_a_green_thread(self):
        sensor = SensorProcess(GREEN % "pass")
        self.assertEqual([self.dispatched(sensor), self.dispatched(sensor)], ["tests.main", "tests.green"])
        self.assertEqual(sensor.end(), (0, "cleaned up\n"))

    def test_receives_triggers_and_stops_while_it_waits(self):
        sensor = SensorProcess(GREEN % WAIT)
        self.assertEqual([self.dispatched(sensor), self.dispatched(sensor)], ["tests.main", "tests.green"])
        sensor.send({"type": "trigger", "change": "add", "trigger": {"ref": "tests.a"}})
        self.assertEqual(self.dispatched(sensor), "tests.added")
        sensor.send({"type": "stop"})
        self.assertEqual(sensor.end(), (143, "cleaned up\n"))

    def test_stops_while_another_green_thread_is_busy(self):
        sensor = SensorProcess(GREEN % BE_BUSY)
        self.assertEqual([self.dispatched(sensor), self.dispatched(sensor)], ["tests.main", "tests.green"])
        sensor.terminate()
        self.assertEqual(sensor.end(), (143, "cleaned up\n"))


if __name__ == "__main__":
    unittest.main()
