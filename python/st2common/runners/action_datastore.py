"""The datastore service of an action, which uses the API."""

import os

from st2common.runners.api_calls import ApiCalls
from st2common.services.api_client import full_client
from st2common.services.datastore import DatastoreService

__all__ = ["ActionDatastoreService"]


class ActionDatastoreService(DatastoreService):
    def __init__(self, pack, class_name, logger):
        self._access = (_variable("API_URL"), _variable("AUTH_TOKEN"))
        super().__init__(ApiCalls(*self._access, logger), logger, pack, class_name)

    def get_api_client(self):
        """:return: a client of the API with the token of the execution, see `full_client`"""
        return full_client(*self._access)


def _variable(name):
    return os.environ.get("SVC_ACTION_" + name) or os.environ.get("ST2_ACTION_" + name)
