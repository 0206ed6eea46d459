"""The base class of the Python actions of packs."""

import abc

from st2common.runners.action_logging import action_logger
from st2common.runners.pack_config import PackConfig

__all__ = ["Action"]


class _Logger:
    """The logger of an action, created on first use."""

    def __get__(self, action, owner=None):
        if action is None:
            return self
        action.logger = action_logger(type(action).__name__)
        return action.logger


class Action(abc.ABC):
    """
    An action: `run` gets the parameters of an execution by name and returns its result, either alone or as
    `(succeeded, result)`.
    """

    description = None
    logger = _Logger()

    def __init__(self, config=None, action_service=None):
        """
        :param config: the configuration of the pack, a dictionary
        :param action_service: the services of the system for actions
        """
        self.config = _pack_config(config, action_service)
        self.action_service = action_service
        if not isinstance(type(self).logger, _Logger):
            # The class has another attribute of that name, which is not the logger of its actions.
            self.logger = action_logger(type(self).__name__)

    @abc.abstractmethod
    def run(self, **kwargs):
        """Runs the action."""


def _pack_config(given, action_service):
    """Tests, and actions that create other actions, pass plain dictionaries."""
    if isinstance(given, PackConfig):
        return given
    pack = getattr(action_service, "_pack", "unknown")
    return PackConfig(given or {}, pack, "configs/%s.yaml" % pack)
