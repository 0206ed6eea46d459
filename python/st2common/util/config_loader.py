"""The configuration of the pack that a process belongs to."""

from switchyard_installation import pack_config

__all__ = ["ContentPackConfigLoader", "get_config"]


class ContentPackConfigLoader:
    """Returns the configuration, as in `self.config`: rendered, with defaults and secrets."""

    def __init__(self, pack_name, user=None):
        """:param user: not used: the configuration is the one for the user of the execution"""
        self.pack_name = pack_name
        self.user = user

    def get_config(self):
        """:raises RuntimeError: for a pack other than the one of this process"""
        return dict(pack_config(self.pack_name))


def get_config(pack, user):
    """:return: an empty dictionary unless both are given"""
    return ContentPackConfigLoader(pack, user).get_config() if pack and user else {}
