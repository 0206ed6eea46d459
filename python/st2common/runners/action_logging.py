"""
The log of an action: its standard error output, which is stored with the execution. Many actions never write to it, so they
should not have to wait for the import of `logging`.
"""

import sys

__all__ = ["AUDIT", "action_logger", "prepare_logging", "set_log_level"]

# Above all levels of `logging`.
AUDIT = 60
_FORMAT = "%(name)-12s: %(levelname)-8s %(message)s"
_level_name = "DEBUG"


def set_log_level(name):
    """:param name: the minimum level of loggers that are created from now on, such as `INFO`"""
    global _level_name
    _level_name = name
    prepare_logging()


def action_logger(class_name):
    """:return: the logger of an action class, always the same one"""
    import logging

    prepare_logging()
    logger = logging.getLogger("st2.actions.python." + class_name)
    if not logger.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter(_FORMAT))
        logger.addHandler(handler)
        logger.setLevel(logging.getLevelName(_level_name))
    return logger


def prepare_logging():
    """Registers our own level with `logging`, if it has been imported."""
    logging = sys.modules.get("logging")
    if logging is not None and getattr(logging.Logger, "audit", None) is not _audit:
        logging.addLevelName(AUDIT, "AUDIT")
        logging.Logger.audit = _audit


def _audit(self, message, *args, **kwargs):
    if self.isEnabledFor(AUDIT):
        self._log(AUDIT, message, args, **kwargs)
