"""
Filters of templates in Python, by name. `decrypt_kv` is missing, because no process of a pack has the key of the datastore.
"""

import json
import os
import re

__all__ = ["FILTERS"]

_NONE = "%*****__%NONE%__*****%"


def from_yaml_string(value):
    import yaml

    return yaml.safe_load(str(value))


def to_json_string(value, indent=None, sort_keys=False, separators=(",", ": ")):
    return json.dumps(value, indent=indent, sort_keys=sort_keys, separators=separators)


def to_yaml_string(value, indent=None, allow_unicode=True):
    import yaml

    return yaml.safe_dump(value, default_flow_style=False, indent=indent, allow_unicode=allow_unicode)


def jsonpath_query(value, query):
    """:return: the result of the query, or None"""
    import jsonpath_rw

    return [match.value for match in jsonpath_rw.parse(query).find(value)] or None


def _flags(ignorecase):
    return re.IGNORECASE if ignorecase else 0


def regex_match(value, pattern, ignorecase=False):
    return bool(re.match(pattern, str(value), _flags(ignorecase)))


def regex_search(value, pattern, ignorecase=False):
    return bool(re.search(pattern, str(value), _flags(ignorecase)))


def regex_replace(value, pattern, replacement, ignorecase=False):
    return re.sub(pattern, replacement, str(value), flags=_flags(ignorecase))


def regex_substring(value, pattern, result_index=0, ignorecase=False):
    return re.findall(pattern, str(value), _flags(ignorecase))[result_index]


def to_human_time_from_seconds(seconds):
    """:return: a text such as `1h3m5s`; a year has 365 days"""
    if seconds is None:
        return None
    if 0 < seconds < 1:
        return "%s\u03bcs" % seconds
    rest = int(round(seconds))
    parts = []
    for unit, length in (("y", 365 * 86400), ("d", 86400), ("h", 3600), ("m", 60), ("s", 1)):
        count, rest = divmod(rest, length)
        if count or parts:
            parts.append("%d%s" % (count, unit))
    return "".join(parts) or "0s"


def _version(value):
    import semver

    return semver.Version.parse(value)


def version_compare(value, pattern):
    """:return: -1, 0 or 1"""
    return _version(value).compare(pattern)


def version_strip_patch(value):
    version = _version(value)
    return "%d.%d" % (version.major, version.minor)


FILTERS = {
    "from_json_string": lambda value: json.loads(str(value)),
    "from_yaml_string": from_yaml_string,
    "json_escape": lambda value: json.dumps(value).strip('"'),
    "jsonpath_query": jsonpath_query,
    "to_complex": json.dumps,
    "to_json_string": to_json_string,
    "to_yaml_string": to_yaml_string,
    "regex_match": regex_match,
    "regex_replace": regex_replace,
    "regex_search": regex_search,
    "regex_substring": regex_substring,
    "to_human_time_from_seconds": to_human_time_from_seconds,
    "version_compare": version_compare,
    "version_more_than": lambda value, pattern: version_compare(value, pattern) == 1,
    "version_less_than": lambda value, pattern: version_compare(value, pattern) == -1,
    "version_equal": lambda value, pattern: version_compare(value, pattern) == 0,
    "version_match": lambda value, pattern: _version(value).match(pattern),
    "version_bump_major": lambda value: str(_version(value).bump_major()),
    "version_bump_minor": lambda value: str(_version(value).bump_minor()),
    "version_bump_patch": lambda value: str(_version(value).bump_patch()),
    "version_strip_patch": version_strip_patch,
    "use_none": lambda value: _NONE if value is None else value,
    "basename": os.path.basename,
    "dirname": os.path.dirname,
}
