"""JSON texts."""

import json

__all__ = ["json_encode", "json_decode", "json_loads", "try_loads"]


def json_encode(obj, indent=None, sort_keys=False):
    """:return: the value as JSON; values that JSON does not have become strings"""
    return json.dumps(obj, indent=indent, sort_keys=sort_keys, default=str)


def json_decode(data):
    return json.loads(data)


def json_loads(obj, keys=None):
    """
    Parses the strings under some keys of a dictionary, in place.

    :param keys: if absent, all keys
    :return: the dictionary
    """
    for key in keys or list(obj):
        if obj.get(key):
            try:
                obj[key] = json.loads(obj[key])
            except (TypeError, ValueError):
                # Not a string or not JSON: the value stays as it is.
                continue
    return obj


def try_loads(s):
    """:return: the parsed value, or the argument itself if it is not JSON"""
    try:
        return json.loads(s) if s and isinstance(s, str) else s
    except ValueError:
        return s
