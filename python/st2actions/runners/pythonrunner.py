"""Old packs import their base class from here."""

from st2common.runners.base_action import Action

__all__ = ["Action"]
