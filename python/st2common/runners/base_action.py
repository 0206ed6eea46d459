"""What the Python actions of packs derive from."""

import abc

from st2common.runners.action_logging import action_logger

__all__ = ["Action"]


class Action(abc.ABC):
    """
    One kind of work: `run` gets the parameters of an execution by name and returns its result, alone or as
    `(succeeded, result)`.
    """

    description = None

    def __init__(self, config=None, action_service=None):
        """
        :param config: the configuration of the pack, a dictionary
        :param action_service: what an action talks to the system with
        """
        self.config = {} if config is None else config
        self.action_service = action_service
        self.logger = action_logger(type(self).__name__)

    @abc.abstractmethod
    def run(self, **kwargs):
        """Does the work."""
