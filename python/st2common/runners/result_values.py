"""Converts values inside a result or an event that JSON does not have."""

import os
from _collections_abc import Mapping, Sequence, Set, ValuesView

__all__ = ["convert", "json_value", "keeps_its_form", "plain_copy"]


def json_value(value):
    """
    :return: the value, closer to JSON; its members may have to be converted too
    :raises TypeError: if it cannot be converted; then the whole result becomes a string
    """
    known = _conversion_of(type(value))
    if known is not None:
        return known(value)
    if hasattr(type(value), "__dataclass_fields__") and not isinstance(value, type):
        return _fields_of(value)
    for name in _METHODS:
        # Looked up in the class, because a mock has every attribute.
        if callable(getattr(type(value), name, None)) and not isinstance(value, type):
            return _unlike(value, getattr(value, name)())
    return _container(value)


def keeps_its_form(value):
    """Whether StackStorm serializes such a value as a whole result, not only as a member of one."""
    kind = type(value)
    return hasattr(kind, "__dataclass_fields__") or any(_name(base) in _NATIVE for base in kind.__mro__)


def plain_copy(value, otherwise=None):
    """
    :param otherwise: as for `convert`, for members and keys
    :return: a copy in which the keys of dictionaries are valid in JSON, too
    """
    if isinstance(value, dict):
        return {convert(_key, key, otherwise): plain_copy(member, otherwise) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_copy(member, otherwise) for member in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    return plain_copy(convert(json_value, value, otherwise), otherwise)


def convert(conversion, value, otherwise):
    """:param otherwise: converts what the conversion cannot; None raises the error of the conversion"""
    try:
        return conversion(value)
    except Exception:
        if otherwise is None:
            raise
        return otherwise(value)


def _key(key):
    while not (key is None or isinstance(key, (str, int, float))):
        if isinstance(key, (tuple, list, dict)):
            raise TypeError("A key cannot be a %s." % type(key).__name__)
        key = json_value(key)
    return key


def _iso(value):
    return value.isoformat()


def _bytes_text(value):
    try:
        return bytes(value).decode("utf-8")
    except UnicodeDecodeError:
        return str(value)


def _fields_of(value):
    """The attributes of the object, except those that begin with an underscore, as in orjson."""
    own = getattr(value, "__dict__", None)
    if own is None:
        own = {name: getattr(value, name) for name in type(value).__dataclass_fields__ if hasattr(value, name)}
    return {name: member for name, member in own.items() if not name.startswith("_")}


# Classes are compared by name, so that no module is imported that the action has not imported.
_NATIVE = {
    ("datetime", "date"): _iso,
    ("datetime", "time"): _iso,
    ("uuid", "UUID"): str,
    ("enum", "Enum"): lambda value: value.value,
}
_CONVERSIONS = {
    **_NATIVE,
    ("datetime", "timedelta"): str,
    ("decimal", "Decimal"): str,
    ("fractions", "Fraction"): str,
    ("builtins", "complex"): str,
    ("builtins", "bytes"): _bytes_text,
    ("builtins", "bytearray"): _bytes_text,
    ("builtins", "memoryview"): _bytes_text,
    ("ipaddress", "_IPAddressBase"): str,
}
# `__json__` is a convention of StackStorm; arrays and scalars of numpy have `tolist` and `item`.
_METHODS = ("__json__", "to_dict", "tolist", "item")


def _name(kind):
    return kind.__module__, kind.__qualname__


def _conversion_of(kind):
    for base in kind.__mro__:
        found = _CONVERSIONS.get(_name(base))
        if found is not None:
            return found
    return None


def _unlike(value, converted):
    if type(converted) is type(value):
        raise TypeError("A %s cannot be converted to JSON." % type(value).__name__)
    return converted


def _container(value):
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Set):
        return _in_order(value)
    if isinstance(value, (Sequence, ValuesView)):
        return list(value)
    raise TypeError("A %s cannot be converted to JSON." % type(value).__name__)


def _in_order(members):
    """Sorts a set, because it has no order and results are compared."""
    try:
        return sorted(members)
    except TypeError:
        return list(members)
