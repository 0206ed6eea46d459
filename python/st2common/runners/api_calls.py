"""The calls of the datastore service, as requests to the API with the token of the execution."""

from urllib.parse import quote

from st2common.services.api_client import ApiClient, ApiError

__all__ = ["ApiCalls"]

_NOT_FOUND = 404
_KEYS = "/keys"


class ApiCalls:
    def __init__(self, api_url, token, logger):
        self._api_url = api_url
        self._token = token
        self._logger = logger
        self._client = None

    def __call__(self, method, **parameters):
        """:raises ApiError: when the API refuses the request"""
        return getattr(self, method)(**parameters)

    def client(self):
        if self._client is None:
            self._logger.debug("Creating new Client object.")
            self._client = ApiClient(self._api_url, self._token)
        return self._client

    def get_user_info(self):
        client = self.client()
        self._logger.debug("Retrieving user information")
        return client.get("/user")

    def list_values(self, prefix, limit, offset):
        client = self.client()
        self._logger.debug("Retrieving all the values from the datastore")
        return client.get(_KEYS, {"prefix": prefix, "limit": limit, "offset": offset})

    def get_value(self, name, decrypt):
        client = self.client()
        self._logger.debug("Retrieving value from the datastore (name=%s)", name)
        item = _unless_missing(lambda: client.get(_path(name), {"decrypt": "true" if decrypt else None}))
        return item and item["value"]

    def set_value(self, name, value, ttl, encrypt):
        client = self.client()
        self._logger.debug("Setting value in the datastore (name=%s)", name)
        item = {"name": name, "value": value, "scope": "system"}
        if ttl:
            item["ttl"] = ttl
        if encrypt:
            item["secret"] = True
        client.put(_path(name), item)

    def delete_value(self, name):
        client = self.client()
        self._logger.debug("Deleting value from the datastore (name=%s)", name)
        _unless_missing(lambda: client.delete(_path(name)))


def _path(name):
    return _KEYS + "/" + quote(name, safe="")


def _unless_missing(call):
    try:
        return call()
    except ApiError as error:
        if error.status == _NOT_FOUND:
            return None
        raise
