"""Small functions for dictionaries and output of commands."""

import os
from collections.abc import Mapping

__all__ = [
    "prefix_dict_keys",
    "compare_path_file_name",
    "sanitize_output",
    "strip_shell_chars",
    "rstrip_last_char",
    "deep_update",
    "lowercase_value",
]


def prefix_dict_keys(dictionary, prefix="_"):
    """:return: a copy with the prefix before each key"""
    return {"%s%s" % (prefix, key): value for key, value in dictionary.items()}


def compare_path_file_name(file_path_a, file_path_b):
    """:return: -1, 0 or 1, by the names of the files without their directories"""
    names = (os.path.basename(file_path_a), os.path.basename(file_path_b))
    return (names[0] > names[1]) - (names[0] < names[1])


def sanitize_output(input_str, uses_pty=False):
    """:return: the output without its last line break; the line breaks of a terminal become plain ones"""
    output = strip_shell_chars(input_str)
    return output.replace("\r\n", "\n") if uses_pty else output


def strip_shell_chars(input_str):
    """:return: the text without one line break at its end: `\\n`, `\\r` or `\\r\\n`"""
    return rstrip_last_char(rstrip_last_char(input_str, "\n"), "\r")


def rstrip_last_char(input_str, char_to_strip):
    """:return: the text without one such ending"""
    if not input_str or not char_to_strip or not input_str.endswith(char_to_strip):
        return input_str
    return input_str[: -len(char_to_strip)]


def deep_update(d, u):
    """
    Merges the second dictionary into the first, at all levels.

    :return: the first
    """
    for key, value in u.items():
        d[key] = deep_update(d.get(key, {}), value) if isinstance(value, Mapping) else value
    return d


def lowercase_value(value):
    """:return: a string, the items of a list as strings, or the keys and values of a dictionary, in lower case"""
    if isinstance(value, str):
        return value.lower()
    if isinstance(value, (list, tuple)):
        return [str(item).lower() for item in value]
    if isinstance(value, dict):
        return {key.lower(): str(item).lower() for key, item in value.items()}
    return value
