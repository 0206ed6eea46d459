"""Functions that were different in Python 2."""

__all__ = ["mock_open_name", "to_unicode", "to_ascii"]

mock_open_name = "builtins.open"


def to_unicode(value):
    """:raises ValueError: if the value is not a string"""
    if not isinstance(value, str):
        raise ValueError('Value "%s" must be a string.' % (value,))
    return value


def to_ascii(value):
    """:return: the string without the characters that ASCII does not have"""
    return value.encode("ascii", errors="ignore").decode("ascii")
