"""A client of the API that needs only the standard library."""

import json
from urllib.parse import urlencode, urlsplit

__all__ = ["ApiClient", "ApiError", "full_client"]

_TIMEOUT_S = 60


class ApiError(Exception):
    """The API has refused a request. `status` is the HTTP status."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class ApiClient:
    """
    Sends requests as the user of a token. Paths begin after the version, such as `/executions`. Bodies and responses are
    JSON values. Proxies are not used, because the API belongs to the system.
    """

    def __init__(self, api_url, token):
        """:param api_url: with the version, such as `http://127.0.0.1:9101/v1`"""
        if not api_url:
            raise ValueError("The address of the API is not known.")
        self._url = urlsplit(api_url.rstrip("/"))
        self._token = token

    def get(self, path, query=None):
        """:param query: parameters by name; None values are left out"""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        return self.request("GET", path + ("?" + urlencode(given) if given else ""))

    def post(self, path, body):
        return self.request("POST", path, body)

    def put(self, path, body):
        return self.request("PUT", path, body)

    def delete(self, path):
        return self.request("DELETE", path)

    def request(self, method, path, body=None):
        """:return: the value of the response; None if it has no body"""
        headers = {"Accept": "application/json"}
        if self._token:
            headers["X-Auth-Token"] = self._token
        if body is not None or method in ("POST", "PUT"):
            headers["Content-Type"] = "application/json"
        if body is not None:
            body = json.dumps(body).encode("utf-8")
        connection = self._connect()
        try:
            connection.request(method, self._url.path + path, body, headers)
            answer = connection.getresponse()
            return _value(answer.status, answer.read())
        finally:
            connection.close()

    def _connect(self):
        # It imports TLS, which most actions do not need.
        from http.client import HTTPConnection, HTTPSConnection

        kind = HTTPSConnection if self._url.scheme == "https" else HTTPConnection
        return kind(self._url.hostname, self._url.port, timeout=_TIMEOUT_S)


def full_client(api_url, token):
    """:return: the client of `st2client` if the virtual environment of the pack has it, otherwise an `ApiClient`"""
    try:
        from st2client.client import Client
    except ImportError:
        return ApiClient(api_url, token)
    return Client(api_url=api_url, token=token)


def _value(status, body):
    try:
        value = json.loads(body.decode("utf-8")) if body else None
    except ValueError:
        value = {"faultstring": body.decode("utf-8", "replace")}
    if status < 400:
        return value
    text = value.get("faultstring") if isinstance(value, dict) else None
    raise ApiError(status, text or "The API answered %d." % status)
