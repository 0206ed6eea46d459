"""Formats and parses times in ISO 8601."""

import datetime
import re

from st2common.util import date

__all__ = ["format", "validate", "parse"]

ISO8601_FORMAT = "%Y-%m-%dT%H:%M:%S"
ISO8601_FORMAT_MICROSECOND = ISO8601_FORMAT + ".%f"
ISO8601_UTC_REGEX = r"^\d{4}-\d{2}-\d{2}[\sT]\d{2}:\d{2}:\d{2}(\.\d{3,6})?(Z|\+00|\+0000|\+00:00)$"


def format(dt, usec=True, offset=True):
    """
    :param dt: a `datetime`, a text, or seconds since 1970
    :param usec: with microseconds
    :param offset: with `+00:00` at the end instead of `Z`
    """
    if isinstance(dt, str):
        dt = parse(dt)
    elif isinstance(dt, int):
        dt = datetime.datetime.fromtimestamp(dt, datetime.timezone.utc)
    return dt.strftime(ISO8601_FORMAT_MICROSECOND if usec else ISO8601_FORMAT) + (_offset(dt) if offset else _zone(dt))


def _offset(dt):
    text = dt.strftime("%z") or "+0000"
    return "%s:%s" % (text[:3], text[3:])


def _zone(dt):
    name = dt.tzinfo.tzname(dt) if dt.tzinfo else "UTC"
    return "Z" if name == "UTC" else name


def validate(value, raise_exception=True):
    """:return: whether it is a `datetime`, or the text of a time in UTC"""
    if isinstance(value, datetime.datetime) or (isinstance(value, str) and re.match(ISO8601_UTC_REGEX, value)):
        return True
    if raise_exception:
        raise ValueError("Datetime value does not match expected format.")
    return False


def parse(value, preserve_original_tz=False, validate_value=True):
    """:return: a `datetime` with a time zone: UTC, unless the one of the text is preserved"""
    if validate_value:
        validate(value, raise_exception=True)
    return date.parse(value=value, preserve_original_tz=preserve_original_tz)
