"""Errors about actions and their parameters."""

from st2common.exceptions import StackStormBaseException

__all__ = [
    "ParameterRenderingFailedException",
    "InvalidActionReferencedException",
    "InvalidActionParameterException",
]


class ParameterRenderingFailedException(StackStormBaseException):
    """The template of a parameter could not be rendered."""


class InvalidActionReferencedException(StackStormBaseException):
    """There is no such action."""


class InvalidActionParameterException(StackStormBaseException):
    """The action cannot use the value of a parameter."""
