"""An item of the datastore, as in lists."""

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
    """Has the fields of an item as attributes. Missing ones are None."""

    def __init__(self, **fields):
        for name in _FIELDS:
            setattr(self, name, fields.get(name))

    def to_dict(self):
        """:return: the fields of the item that have a value"""
        return {name: getattr(self, name) for name in _FIELDS if getattr(self, name) is not None}

    serialize = to_dict

    def __repr__(self):
        return "<KeyValuePair name=%s,value=%s>" % (self.name, "********" if self.secret else self.value)
