"""Functions that actions import besides their base class."""

from st2common.runners.pack_config import PackConfig

__all__ = ["PackConfigDict", "get_logger_for_python_runner_action", "get_action_class_instance"]

_loggers = {}


class PackConfigDict(PackConfig):
    """A configuration for actions that are created by hand, as in tests."""

    def __init__(self, pack_name, *values):
        super().__init__(dict(*values), pack_name, "configs/%s.yaml" % pack_name)


def get_logger_for_python_runner_action(action_name, log_level="debug"):
    """:return: a logger that writes to standard error; always the same one for a name"""
    import logging

    import st2common.log

    logger = _loggers.get(action_name)
    if logger is None:
        level = getattr(logging, log_level.upper(), logging.DEBUG)
        logger = _loggers[action_name] = st2common.log.getLogger("actions.python." + action_name)
        handler = logging.StreamHandler()
        handler.setLevel(level)
        handler.setFormatter(logging.Formatter("%(name)-12s: %(levelname)-8s %(message)s"))
        logger.addHandler(handler)
        logger.setLevel(level)
    return logger


def get_action_class_instance(action_cls, config=None, action_service=None):
    """:return: an action, even if the constructor of its class takes only the configuration"""
    from st2common.runners.load_action import new_action

    return new_action(action_cls, config, action_service)
