"""The configuration of a pack, as its actions get it."""

__all__ = ["PackConfig"]


class PackConfig(dict):
    """A dictionary that says where a missing key should have been."""

    def __init__(self, values, pack, path):
        super().__init__(values)
        self._pack = pack
        self._path = path

    def __missing__(self, key):
        raise ValueError(
            'Config for pack "%s" is missing key "%s". Make sure that config file "%s" exists on disk and contains '
            "this key." % (self._pack, key, self._path)
        )
