"""The API of the system, as far as it concerns packs."""

import json
import os
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import ProxyHandler, Request, build_opener

__all__ = [
    "SYSTEM_PACKS",
    "ApiError",
    "delete",
    "find_pack",
    "list_of_pack",
    "list_packs",
    "packs_directory",
    "register",
    "switch_off",
]

SYSTEM_PACKS = ("chatops", "core", "linux", "packs")

# Content that users make without naming a pack goes there, so that it is where packs may be written.
_WRITABLE_PACK = "default"

_NOT_FOUND = 404


class ApiError(RuntimeError):
    """The API has refused something; the text is what it said."""

    def __init__(self, text, status):
        """
        :param status: of HTTP
        """
        super().__init__(text)
        self.status = status


def list_packs():
    """:return: every pack that is registered"""
    return _call("GET", "/packs?limit=-1")


def find_pack(ref):
    """:return: what is known about a registered pack, None when there is none"""
    return _call("GET", "/packs/" + quote(ref, safe=""))


def list_of_pack(collection, ref):
    """
    :param collection: name of the records in addresses of the API, such as `actions`
    :return: the records that belong to a pack; none where the API has no such collection
    """
    found = _call("GET", "/%s?limit=-1&pack=%s" % (collection, quote(ref, safe="")))
    return [record for record in found or [] if record.get("pack") == ref]


def delete(collection, ref):
    """:raises ApiError: when it is not gone by this"""
    _call("DELETE", _place(collection, ref))


def switch_off(collection, ref):
    _call("PUT", _place(collection, ref), {"enabled": False})


def packs_directory():
    """:return: where packs are installed"""
    pack = find_pack(_WRITABLE_PACK)
    if pack is None:
        raise RuntimeError('There is no pack "%s", which tells where packs are.' % _WRITABLE_PACK)
    return os.path.dirname(pack["path"])


def register(timeout=None, **what):
    """
    :param what: as the API takes it: packs, types, setup_virtualenvs, recreate_virtualenvs
    :param timeout: seconds
    :return: counts by kind of content
    """
    return _call("POST", "/packs/register", what, timeout)


def _place(collection, ref):
    return "/%s/%s" % (collection, quote(ref, safe=""))


def _call(method, path, body=None, timeout=60):
    request = Request(
        os.environ["ST2_ACTION_API_URL"] + path,
        method=method,
        data=None if body is None else json.dumps(body).encode("utf-8"),
        headers={"Content-Type": "application/json", "X-Auth-Token": os.environ["ST2_ACTION_AUTH_TOKEN"]},
    )
    # The API is the system's own: no proxy leads to it.
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(request, timeout=timeout) as answer:
            text = answer.read().decode("utf-8")
            return json.loads(text) if text else None
    except HTTPError as error:
        if error.code == _NOT_FOUND and method == "GET":
            return None
        raise ApiError(_text_of(error), error.code) from None


def _text_of(error):
    text = error.read().decode("utf-8", "replace")
    try:
        return json.loads(text)["faultstring"]
    except (ValueError, KeyError, TypeError):
        return "The API answered %d: %s" % (error.code, text)
