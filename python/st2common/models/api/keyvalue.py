"""An item of the datastore, as lists show it."""

__all__ = ["KeyValuePair"]

_FIELDS = (
    "id",
    "uid",
    "name",
    "description",
    "value",
    "secret",
    "encrypted",
    "scope",
    "expire_timestamp",
    "user",
)


class KeyValuePair:
    """Holds the fields of an item as attributes; those that it does not have are None."""

    def __init__(self, **fields):
        for name in _FIELDS:
            setattr(self, name, fields.get(name))

    def to_dict(self):
        """:return: the fields that the item has"""
        return {name: getattr(self, name) for name in _FIELDS if getattr(self, name) is not None}

    serialize = to_dict

    def __repr__(self):
        return "<KeyValuePair name=%s,value=%s>" % (self.name, "********" if self.secret else self.value)
