"""
The life of one sensor process. The container sends what to run over the channel (file descriptor 3), then the triggers
that concern the sensor; the process ends with 0 when the sensor has nothing more to do, with 143 when it was told to
stop, and with 1 after any failure.
"""

import atexit
import logging
import os
import queue
import signal
import sys
import threading
import time
import traceback
from _thread import start_new_thread

from st2reactor.container import sensor_logging
from st2reactor.container.channel import Channel, ChannelClosed
from st2reactor.container.load_sensor import SensorLoadError, create_sensor
from st2reactor.container.sensor_service import SensorService
from st2reactor.container.trigger_queue import TriggerQueue
from switchyard_installation import describe
from switchyard_modules import explanation, use_shared_environment

__all__ = ["CHANNEL_FD", "SensorWrapper"]

CHANNEL_FD = 3
FAILURE = 1
STOPPED = 128 + signal.SIGTERM
_INTERRUPT_EVERY_S = 0.1


class _StopAsked(BaseException):
    """Interrupts whatever the sensor does at the moment. No sensor catches it by accident."""


class SensorWrapper:
    # A sensor may replace these, and threads, with those of green threads. Only `triggers` is meant to become a green thread.
    _sleep = staticmethod(time.sleep)
    _read = staticmethod(os.read)

    def __init__(self, fd=CHANNEL_FD):
        self._start = queue.Queue()
        self._triggers = TriggerQueue()
        self._sensor = None
        self._logger = None
        self._stopping = False
        self._main_thread = threading.get_ident()
        self._channel = Channel(fd, self._on_message, self._on_close)

    def run(self):
        """Never returns but by the normal end of the sensor."""
        signal.signal(signal.SIGTERM, self._on_sigterm)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._watch_signals()
        code = FAILURE
        try:
            self._channel.start()
            code = self._work(self._start.get())
        except _StopAsked:
            code = STOPPED
        except SystemExit as end:
            code = _exit_code(end)
        except (SensorLoadError, ChannelClosed) as error:
            self._failed(str(error))
        except BaseException as error:
            self._failed(_description(error), traceback.format_exc())
        code = self._clean_up(code)
        if code != 0:
            # Threads that the sensor has left must not keep a process alive that has failed, or is to stop.
            atexit._run_exitfuncs()
            logging.shutdown()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _work(self, start):
        sensor_logging.install(self._channel, start["log_level"])
        service = SensorService(self._channel, start["pack"], start["class_name"])
        self._logger = service.get_logger("wrapper")
        installation = start["installation"]
        describe({**installation, "pack": start["pack"], "config": start["config"]})
        use_shared_environment(installation["shared"])
        self._sensor = create_sensor(
            start["file_path"], start["class_name"], service, start["config"], start.get("poll_interval")
        )
        threading.Thread(target=self._handle_triggers, name="triggers", daemon=True).start()
        self._sensor.setup()
        self._channel.send({"type": "ready"})
        self._sensor.run()
        return 0

    def _handle_triggers(self):
        while True:
            message = self._triggers.take()
            handler = getattr(self._sensor, message["change"] + "_trigger")
            try:
                handler(message["trigger"])
            except Exception:
                self._logger.exception(
                    "%s_trigger has failed for %s.", message["change"], message["trigger"].get("ref")
                )

    def _on_message(self, message):
        if message["type"] == "start":
            self._start.put(message)
        elif message["type"] == "trigger":
            self._triggers.put(message)
        elif message["type"] == "stop":
            self._ask_to_stop()

    def _on_close(self):
        # Without its container a sensor has nobody to tell.
        self._ask_to_stop()

    def _ask_to_stop(self):
        start_new_thread(self._interrupt, ())

    def _watch_signals(self):
        """Has another thread learn of signals, whatever the main thread does at the moment."""
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)

        def watch():
            while signal.SIGTERM not in self._read(reader, 64):
                pass
            self._interrupt()

        threading.Thread(target=watch, name="signals", daemon=True).start()

    def _interrupt(self):
        # A signal that arrives just before the main thread begins to wait does not wake it: once is not enough.
        while not self._stopping:
            signal.pthread_kill(self._main_thread, signal.SIGTERM)
            self._sleep(_INTERRUPT_EVERY_S)

    def _on_sigterm(self, _number, _frame):
        if self._stopping:
            return
        self._stopping = True
        main = _main_of_green_thread()
        if main is None:
            raise _StopAsked()
        # A green thread would swallow it.
        main.throw(_StopAsked)

    def _clean_up(self, code):
        self._stopping = True
        try:
            if self._sensor is not None:
                self._sensor.cleanup()
        except BaseException as error:
            self._failed("cleanup: %s: %s" % (type(error).__name__, error), traceback.format_exc())
            return code or FAILURE
        return code

    def _failed(self, text, trace=None):
        try:
            self._channel.send({"type": "failed", "error": text, "trace": trace})
        except Exception:
            sys.stderr.write("%s\n" % (trace or text))


def _description(error):
    reason = explanation(error)
    return "%s: %s" % (type(error).__name__, error) + ("" if reason is None else ". " + reason)


def _main_of_green_thread():
    """
    :return: the main greenlet if a green thread runs now; otherwise None. The greenlet that runs the green threads is none of
        them: an exception ends it and goes on in the main one.
    """
    greenlet = sys.modules.get("greenlet")
    current = greenlet.getcurrent() if greenlet is not None else None
    if current is None or current.parent is None or current.parent.parent is None:
        return None
    main = current.parent
    while main.parent is not None:
        main = main.parent
    return main


def _exit_code(end):
    """What `sys.exit` was called with, as the interpreter would take it."""
    if end.code is None:
        return 0
    if isinstance(end.code, int):
        return end.code & 0xFF
    sys.stderr.write("%s\n" % (end.code,))
    return FAILURE
