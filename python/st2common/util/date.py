"""Points in time."""

import datetime

__all__ = ["get_datetime_utc_now", "append_milliseconds_to_time", "add_utc_tz", "convert_to_utc", "parse"]


def get_datetime_utc_now():
    """:return: the current time, with the time zone UTC"""
    return datetime.datetime.now(_utc())


def append_milliseconds_to_time(date, millis):
    """:return: the time plus so many milliseconds, in UTC"""
    return convert_to_utc(date + datetime.timedelta(milliseconds=millis))


def add_utc_tz(dt):
    """:raises ValueError: if it already has another time zone"""
    if dt.tzinfo and dt.tzinfo.utcoffset(dt) != datetime.timedelta(0):
        raise ValueError("datetime already contains a non UTC timezone")
    return dt.replace(tzinfo=_utc())


def convert_to_utc(dt):
    """:return: the same time in UTC. A time without a time zone is taken as UTC."""
    return dt.astimezone(_utc()) if dt.tzinfo else add_utc_tz(dt)


def parse(value, preserve_original_tz=False):
    """:return: the time in a text such as `2026-03-01T10:00:00+01:00`, in UTC unless its own time zone is preserved"""
    from dateutil import parser

    dt = parser.parse(str(value))
    if not dt.tzinfo:
        dt = add_utc_tz(dt)
    return dt if preserve_original_tz else convert_to_utc(dt)


def _utc():
    # Packs compare the class of the time zone, so it has to be the one of dateutil, which is imported on first use.
    from dateutil.tz import tzutc

    return tzutc()
