"""Loggers for packs: `from st2common import log as logging`."""

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
    :return: the logger `st2.<name>`. Keys of `extra` that are names of attributes of a record get an underscore as a prefix.
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
    """The code that logs, not the code in this file that passes the call on."""
    for more in range(4):
        found = find(stack_info, stacklevel + more)
        if os.path.normcase(found[0]) not in _OURS:
            break
    return found


class LoggingStream:
    """A file-like object that writes what it gets to the log."""

    def __init__(self, name, level=logging.ERROR):
        self._logger = getLogger(name)
        self._level = level

    def write(self, message):
        self._logger.log(self._level, "%s", message)

    def flush(self):
        """Does nothing, because nothing is buffered."""
