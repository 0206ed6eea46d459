"""The datastore service of an action, which uses the API."""

import os

from st2common.runners.api_calls import ApiCalls
from st2common.services.datastore import DatastoreService

__all__ = ["ActionDatastoreService"]


class ActionDatastoreService(DatastoreService):
    def __init__(self, pack, class_name, logger):
        self._calls = ApiCalls(_variable("API_URL"), _variable("AUTH_TOKEN"), logger)
        super().__init__(self._calls, logger, pack, class_name)

    def get_api_client(self):
        """
        :return: a client of the API: that of `st2client` if the virtual environment of the pack has it, otherwise
            `st2common.services.api_client.ApiClient`
        """
        return self._calls.full_client()


def _variable(name):
    return os.environ.get("SVC_ACTION_" + name) or os.environ.get("ST2_ACTION_" + name)
