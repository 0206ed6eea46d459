"""The JSON text of what an action returned."""

import json
import re

__all__ = ["result_json"]

_LARGEST_EXACT = 2**53 - 1
# What may be a number that others read as another one, or not at all.
_SUSPICIOUS = re.compile(r"NaN|Infinity|[0-9]{16}")


def result_json(value):
    """
    A value that is none of JSON's becomes its text. Numbers that JSON does not have become null; whole numbers that
    would lose digits, such as ids of twenty of them, become texts.
    """
    try:
        text = json.dumps(value)
        return json.dumps(_exact(value)) if _SUSPICIOUS.search(text) else text
    except Exception:
        return json.dumps(_text(value))


def _exact(value):
    if isinstance(value, float):
        # The difference is no number for those that are none, or have no end.
        return value if value - value == 0 else None
    if isinstance(value, int) and abs(value) > _LARGEST_EXACT:
        return str(int(value))
    if isinstance(value, dict):
        return {key: _exact(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_exact(member) for member in value]
    return value


def _text(value):
    try:
        return str(value)
    except Exception:
        return "<%s>" % type(value).__name__
