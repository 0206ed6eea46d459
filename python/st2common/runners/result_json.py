"""The JSON text of what an action returned."""

import json
import re

__all__ = ["result_json"]

_LARGEST_EXACT = 2**53 - 1
# What may be a number that others read as another one, or not at all.
_SUSPICIOUS = re.compile(r"NaN|Infinity|[0-9]{16}")


def result_json(value):
    """
    Members that JSON does not have, such as dates, become what `result_values` says. If it does not know one of them, the
    whole value becomes its text, and so does a value that is itself none of JSON's, as in StackStorm. Numbers that JSON
    does not have become null; whole numbers that would lose digits, such as ids of twenty of them, become texts.
    """
    try:
        text = _encode(value)
        return json.dumps(_exact(json.loads(text))) if _SUSPICIOUS.search(text) else text
    except Exception:
        return json.dumps(_text(value))


def _encode(value):
    try:
        return json.dumps(value)
    except TypeError:
        # Most results are JSON as they are, and do not wait for this.
        from st2common.runners.result_values import json_value, keeps_its_form, plain_copy

    if not isinstance(value, (dict, list, tuple)) and not keeps_its_form(value):
        raise TypeError("A %s has no form in JSON." % type(value).__name__)
    try:
        return json.dumps(value, default=json_value)
    except TypeError:
        # It may have been a key; the encoder takes no other ones than texts and numbers.
        return json.dumps(plain_copy(value))


def _exact(value):
    if isinstance(value, float):
        # The difference is no number for those that are none, or have no end.
        return value if value - value == 0 else None
    if isinstance(value, int) and abs(value) > _LARGEST_EXACT:
        return str(value)
    if isinstance(value, dict):
        return {key: _exact(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_exact(member) for member in value]
    return value


def _text(value):
    try:
        return str(value)
    except Exception:
        return "<%s>" % type(value).__name__
