"""API calls for aliases."""

import json
import os
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

__all__ = ["post"]

_TIMEOUT_S = 60


def post(path, body):
    """:raises RuntimeError: with the message of the API if it rejects the request"""
    request = Request(
        os.environ["ST2_ACTION_API_URL"] + path,
        data=json.dumps(body).encode("utf-8"),
        headers={"Content-Type": "application/json", "X-Auth-Token": os.environ["ST2_ACTION_AUTH_TOKEN"]},
    )
    # The API is local to the system, so requests bypass proxies.
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(request, timeout=_TIMEOUT_S) as answer:
            return json.loads(answer.read().decode("utf-8"))
    except HTTPError as error:
        raise RuntimeError(_text_of(error)) from None


def _text_of(error):
    text = error.read().decode("utf-8", "replace")
    try:
        return json.loads(text)["faultstring"]
    except (ValueError, KeyError, TypeError):
        return "The API responded with status %d: %s" % (error.code, text)
