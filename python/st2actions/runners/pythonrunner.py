"""Where packs of long ago find their base class."""

from st2common.runners.base_action import Action

__all__ = ["Action"]
