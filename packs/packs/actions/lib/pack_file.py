"""
Reads single-line fields of `pack.yaml`. Python has no YAML parser in its standard library, and registering the pack checks
everything else.
"""

import os
import re

__all__ = ["PACK_FILE", "pack_dependencies", "pack_fields", "pack_ref"]

PACK_FILE = "pack.yaml"
REF = re.compile(r"^[a-z0-9_]+$")

_FIELD = re.compile(r"^(?P<name>\w+)\s*:\s*(?P<value>\S.*?)\s*$")
_DEPENDENCIES = re.compile(r"^dependencies\s*:\s*(?:\[(?P<list>[^\]]*)\]\s*)?(?:#.*)?$")
_ITEM = re.compile(r"^\s*-\s+(?P<value>\S.*?)\s*$")


def pack_fields(directory):
    """:return: the fields with single-line string values"""
    fields = {}
    for line in _lines(directory):
        match = _FIELD.match(line)
        if match:
            fields[match.group("name")] = _text(match.group("value"))
    return fields


def pack_ref(directory):
    """:raises ValueError: if the pack has no valid reference"""
    fields = pack_fields(directory)
    for candidate in (fields.get("ref"), fields.get("name")):
        if candidate and REF.match(candidate):
            return candidate
    raise ValueError("Pack ref / name can only contain valid word characters (a-z, 0-9 and _), dashes are not allowed.")


def pack_dependencies(directory):
    """:return: the dependencies of the pack, as written"""
    items, inside = [], False
    for line in _lines(directory):
        item = _ITEM.match(line)
        if inside and item:
            items.append(_text(item.group("value")))
        elif line.strip() and not line.lstrip().startswith("#"):
            start = _DEPENDENCIES.match(line)
            inside = bool(start) and not start.group("list")
            if start and start.group("list"):
                items.extend(_text(item.strip()) for item in start.group("list").split(",") if item.strip())
    return items


def _lines(directory):
    path = os.path.join(directory, PACK_FILE)
    if not os.path.isfile(path):
        raise ValueError("The pack has no %s." % PACK_FILE)
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def _text(value):
    for quote in "'\"":
        if len(value) > 1 and value[0] == quote and quote in value[1:]:
            return value[1 : value.index(quote, 1)]
    return re.sub(r"\s+#.*$", "", value)
