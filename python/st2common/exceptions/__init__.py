"""Errors that packs raise and catch by the names that StackStorm gave them."""

__all__ = ["StackStormBaseException", "StackStormPluginException"]


class StackStormBaseException(Exception):
    """What all of them derive from."""


class StackStormPluginException(StackStormBaseException):
    """An error of a runner or another extension."""
