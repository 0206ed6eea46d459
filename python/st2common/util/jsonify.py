"""JSON texts."""

import json

__all__ = ["json_encode", "json_decode", "json_loads", "try_loads"]


def json_encode(obj, indent=None, sort_keys=False):
    """:return: the text of the value; what JSON does not have becomes text"""
    return json.dumps(obj, indent=indent, sort_keys=sort_keys, default=str)


def json_decode(data):
    return json.loads(data)


def json_loads(obj, keys=None):
    """
    Parses the texts below some keys of a dictionary, in place.

    :param keys: absent: all of them
    :return: the dictionary
    """
    for key in keys or list(obj):
        if obj.get(key):
            try:
                obj[key] = json.loads(obj[key])
            except (TypeError, ValueError):
                # It is no text, or no JSON, and stays what it is.
                continue
    return obj


def try_loads(s):
    """:return: the value of a text, or what was given when that is no JSON"""
    try:
        return json.loads(s) if s and isinstance(s, str) else s
    except ValueError:
        return s
