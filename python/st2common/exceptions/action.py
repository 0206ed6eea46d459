"""Errors about actions and their parameters."""

from st2common.exceptions import StackStormBaseException

__all__ = [
    "ParameterRenderingFailedException",
    "InvalidActionReferencedException",
    "InvalidActionParameterException",
]


class ParameterRenderingFailedException(StackStormBaseException):
    """The template of a parameter failed."""


class InvalidActionReferencedException(StackStormBaseException):
    """There is no such action."""


class InvalidActionParameterException(StackStormBaseException):
    """A parameter has a value that the action cannot use."""
