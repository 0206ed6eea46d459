"""
Runs one sensor in this process. Over the channel (file descriptor 3), the container sends which sensor to run, and then the
triggers of that sensor. The process exits with 0 when the sensor has finished, with 143 when it was asked to stop, and with 1
after any failure.
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
    """Interrupts the sensor. No sensor catches it by accident."""


class SensorWrapper:
    # A sensor may replace these, and threads, by those of green threads. Only `triggers` is meant to become a green thread.
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
        """Returns only when the sensor has finished normally."""
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
            # Remaining threads of the sensor must not keep a process alive that has failed or has to stop.
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
                    "%s_trigger failed for %s.", message["change"], message["trigger"].get("ref")
                )

    def _on_message(self, message):
        if message["type"] == "start":
            self._start.put(message)
        elif message["type"] == "trigger":
            self._triggers.put(message)
        elif message["type"] == "stop":
            self._ask_to_stop()

    def _on_close(self):
        # Without its container, a sensor cannot dispatch anything.
        self._ask_to_stop()

    def _ask_to_stop(self):
        start_new_thread(self._interrupt, ())

    def _watch_signals(self):
        """Lets another thread receive signals, whatever the main thread is doing."""
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)

        def watch():
            while signal.SIGTERM not in self._read(reader, 64):
                pass
            self._interrupt()

        threading.Thread(target=watch, name="signals", daemon=True).start()

    def _interrupt(self):
        # Repeated, because a signal that arrives just before the main thread begins to wait does not wake it.
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
    :return: the main greenlet if a green thread is running now; otherwise None. The greenlet that runs the green threads does
        not count: an exception ends it and continues in the main one.
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
    """The exit code for the argument of `sys.exit`, as in the interpreter."""
    if end.code is None:
        return 0
    if isinstance(end.code, int):
        return end.code & 0xFF
    sys.stderr.write("%s\n" % (end.code,))
    return FAILURE
