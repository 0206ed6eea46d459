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
        raise RuntimeError('There is no pack "%s", which tells where packs are.' % _WRITABLE_PACK)
    return os.path.dirname(pack["path"])


def register(timeout=None, **what):
    """
    :param what: the request body: packs, types, setup_virtualenvs, recreate_virtualenvs
    :param timeout: seconds
    :return: counts by kind of content
    """
    return _call("POST", "/packs/register", what, timeout)


def _call(method, path, body=None, timeout=60):
    """:raises RuntimeError: with the message of the API if it rejects the request"""
    request = Request(
        os.environ["ST2_ACTION_API_URL"] + path,
        method=method,
        data=None if body is None else json.dumps(body).encode("utf-8"),
        headers={"Content-Type": "application/json", "X-Auth-Token": os.environ["ST2_ACTION_AUTH_TOKEN"]},
    )
    # The API is local to the system, so requests bypass proxies.
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(request, timeout=timeout) as answer:
            text = answer.read().decode("utf-8")
            return json.loads(text) if text else None
    except HTTPError as error:
        if error.code == _NOT_FOUND and method == "GET":
            return None
        raise RuntimeError(_text_of(error)) from None


def _text_of(error):
    text = error.read().decode("utf-8", "replace")
    try:
        return json.loads(text)["faultstring"]
    except (ValueError, KeyError, TypeError):
        return "The API answered %d: %s" % (error.code, text)
