"""The JSON text of what an action returned or a sensor dispatches."""

import json
import re

__all__ = ["message_json", "result_json"]

_LARGEST_EXACT = 2**53 - 1
# Text that may be a number which other parsers read differently, or reject.
_SUSPICIOUS = re.compile(r"NaN|Infinity|[0-9]{16}")


def result_json(value):
    """
    Members with types that JSON does not have, such as dates, are converted by `result_values`. If it cannot convert one of
    them, or if the value itself has such a type, the result is the text of the whole value, as in StackStorm. Numbers that
    JSON does not have become null. Integers that would lose digits, such as ids with twenty digits, become strings.
    """
    try:
        return _with_exact_numbers(_encode(value))
    except Exception:
        return json.dumps(_text(value))


def message_json(message):
    """
    Converts members as `result_json` does, except that one that cannot be converted becomes text on its own: a message keeps
    its form.

    :raises ValueError: if the message contains itself
    """
    try:
        return _with_exact_numbers(json.dumps(message))
    except TypeError:
        from st2common.runners.result_values import convert, json_value, plain_copy
    try:
        text = json.dumps(message, default=lambda member: convert(json_value, member, _text))
    except TypeError:
        text = json.dumps(plain_copy(message, _text))
    return _with_exact_numbers(text)


def _with_exact_numbers(text):
    return json.dumps(_exact(json.loads(text))) if _SUSPICIOUS.search(text) else text


def _encode(value):
    try:
        return json.dumps(value)
    except TypeError:
        # Most results are JSON already, so they do not have to wait for this import.
        from st2common.runners.result_values import json_value, keeps_its_form, plain_copy

    if not isinstance(value, (dict, list, tuple)) and not keeps_its_form(value):
        raise TypeError("A %s cannot be converted to JSON." % type(value).__name__)
    try:
        return json.dumps(value, default=json_value)
    except TypeError:
        # It may be a key: the encoder accepts only strings and numbers as keys.
        return json.dumps(plain_copy(value))


def _exact(value):
    if isinstance(value, float):
        # For NaN and infinities, the difference is NaN.
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
