"""The log of an action: its standard error output, which the execution keeps."""

import logging
import sys

__all__ = ["AUDIT", "action_logger", "set_log_level"]

AUDIT = logging.CRITICAL + 10
_FORMAT = "%(name)-12s: %(levelname)-8s %(message)s"
_level = logging.DEBUG


def set_log_level(name):
    """:param name: from which level on loggers that are made from now on write, such as `INFO`"""
    global _level
    logging.addLevelName(AUDIT, "AUDIT")
    logging.Logger.audit = _audit
    _level = logging.getLevelName(name)


def action_logger(class_name):
    """:return: the logger of an action class, the same one each time"""
    logger = logging.getLogger("st2.actions.python." + class_name)
    if not logger.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter(_FORMAT))
        logger.addHandler(handler)
        logger.setLevel(_level)
    return logger


def _audit(self, message, *args, **kwargs):
    if self.isEnabledFor(AUDIT):
        self._log(AUDIT, message, args, **kwargs)
