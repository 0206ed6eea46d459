"""API calls for packs."""

import json
import os
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import ProxyHandler, Request, build_opener

__all__ = [
    "PROTECTED_PACKS",
    "find_in_index",
    "find_pack",
    "list_packs",
    "packs_directory",
    "register",
    "search_index",
    "set_up",
    "unregister",
]

# The system needs these packs. "default" holds content that is created without naming a pack.
PROTECTED_PACKS = ("chatops", "core", "default", "linux", "packs")

# Holds content that users create without naming a pack, so its parent directory is writable.
_WRITABLE_PACK = "default"

_NOT_FOUND = 404


def list_packs():
    """:return: every pack that is registered"""
    return _call("GET", "/packs?limit=-1")


def find_pack(ref):
    """:return: the record of a registered pack, or None"""
    return _call("GET", "/packs/" + quote(ref, safe=""))


def unregister(ref):
    """
    Removes a pack and everything it registered.

    :return: `{"removed": {...}, "kept": {...}}`, references by kind of content
    """
    return _call("POST", "/packs/" + quote(ref, safe="") + "/unload", timeout=300)


def search_index(query):
    """:return: the packs of the index that contain a text, best matches first"""
    return _call("POST", "/packs/index/search", {"query": query})


def find_in_index(name):
    """:return: the index entry of a pack, or None"""
    return _call("POST", "/packs/index/search", {"pack": name}) or None


def packs_directory():
    """:return: the directory where packs are installed"""
    pack = find_pack(_WRITABLE_PACK)
    if pack is None:
        raise RuntimeError('The pack "%s" is missing, so the directory of packs is unknown.' % _WRITABLE_PACK)
    return os.path.dirname(pack["path"])


def register(timeout=None, **what):
    """
    :param what: the request body: packs, types
    :param timeout: seconds
    :return: counts by kind of content
    """
    return _call("POST", "/packs/register", what, timeout)


def set_up(on_line, **what):
    """
    Creates virtual environments.

    :param on_line: gets each line of output while the work is done
    :param what: the request body: packs, setup_virtualenvs, recreate_virtualenvs, proxies
    :return: counts, as `virtualenvs`
    :raises RuntimeError: with the reason in the first line
    """
    try:
        answer = _open("POST", "/packs/register", dict(what, types=[], follow=True), timeout=None)
    except HTTPError as error:
        raise RuntimeError(_text_of(error)) from None
    with answer:
        for event, text in _events(answer):
            if event == "progress":
                on_line(text)
            elif event == "result":
                return json.loads(text)
            elif event == "fault":
                raise RuntimeError(json.loads(text)["faultstring"])
    raise RuntimeError("The API ended the connection before the virtual environments were complete. Run this again.")


def _call(method, path, body=None, timeout=60):
    """:raises RuntimeError: with the message of the API if it rejects the request"""
    try:
        with _open(method, path, body, timeout) as answer:
            text = answer.read().decode("utf-8")
            return json.loads(text) if text else None
    except HTTPError as error:
        if error.code == _NOT_FOUND and method == "GET":
            return None
        raise RuntimeError(_text_of(error)) from None


def _open(method, path, body, timeout):
    request = Request(
        os.environ["ST2_ACTION_API_URL"] + path,
        method=method,
        data=None if body is None else json.dumps(body).encode("utf-8"),
        headers={"Content-Type": "application/json", "X-Auth-Token": os.environ["ST2_ACTION_AUTH_TOKEN"]},
    )
    # The API is local to the system, so requests bypass proxies.
    return build_opener(ProxyHandler({})).open(request, timeout=timeout)


def _events(answer):
    """:return: name and data of each server-sent event, as they arrive"""
    name, data = None, []
    for line in answer:
        field, _, value = line.decode("utf-8").rstrip("\n").partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif field == "" and data:
            yield name, "\n".join(data)
            name, data = None, []


def _text_of(error):
    text = error.read().decode("utf-8", "replace")
    try:
        return json.loads(text)["faultstring"]
    except (ValueError, KeyError, TypeError):
        return "The API responded with status %d: %s" % (error.code, text)
