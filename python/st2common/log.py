"""Loggers of the system, as packs get them: `from st2common import log as logging`."""

import functools
import logging
import os

from st2common.runners import action_logging
from st2common.runners.action_logging import AUDIT, prepare_logging

__all__ = ["getLogger", "LoggingStream", "AUDIT", "DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]

DEBUG, INFO, WARNING, ERROR, CRITICAL = logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL

_PREFIX = "st2."
_METHODS = ("debug", "info", "warning", "error", "critical", "exception", "log", "audit")
_OURS = tuple(os.path.normcase(module) for module in (__file__, functools.__file__, action_logging.__file__))

logging.AUDIT = AUDIT
prepare_logging()


def getLogger(name):
    """
    :return: the logger `st2.<name>`. Keys of `extra` may be names of a record's own attributes: they get an underscore in
        front
    """
    logger = logging.getLogger(name if name.startswith(_PREFIX) else _PREFIX + name)
    if not hasattr(logger, "_takes_any_extra"):
        logger._takes_any_extra = True
        logger.findCaller = functools.partial(_find_caller, logger.findCaller)
        for method in _METHODS:
            setattr(logger, method, _with_any_extra(getattr(logger, method)))
    return logger


def _with_any_extra(method):
    @functools.wraps(method)
    def call(*args, **kwargs):
        extra = kwargs.get("extra")
        if isinstance(extra, dict):
            kwargs["extra"] = {"_%s" % key: value for key, value in extra.items()}
        return method(*args, **kwargs)

    return call


def _find_caller(find, stack_info=False, stacklevel=1):
    """The place that logs, not the one in this file that hands it on."""
    for more in range(4):
        found = find(stack_info, stacklevel + more)
        if os.path.normcase(found[0]) not in _OURS:
            break
    return found


class LoggingStream:
    """Something to write to whose texts become log lines."""

    def __init__(self, name, level=logging.ERROR):
        self._logger = getLogger(name)
        self._level = level

    def write(self, message):
        self._logger.log(self._level, "%s", message)

    def flush(self):
        """Nothing is kept back."""
