"""The configuration that the actions of a pack get."""

__all__ = ["PackConfig"]


class PackConfig(dict):
    """A dictionary whose error for a missing key names the configuration file."""

    def __init__(self, values, pack, path):
        super().__init__(values)
        self._pack = pack
        self._path = path

    def __missing__(self, key):
        raise ValueError(
            'Config for pack "%s" is missing key "%s". Make sure that config file "%s" exists on disk and contains '
            "this key." % (self._pack, key, self._path)
        )
