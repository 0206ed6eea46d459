"""Errors that packs raise and catch, with their names in StackStorm."""

__all__ = ["StackStormBaseException", "StackStormPluginException"]


class StackStormBaseException(Exception):
    """The base class of all of them."""


class StackStormPluginException(StackStormBaseException):
    """An error of a runner or another extension."""
