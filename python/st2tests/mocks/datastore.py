"""The datastore of tests: a dictionary."""

from st2common.models.api.keyvalue import KeyValuePair
from st2common.services.datastore import SYSTEM_SCOPE, DatastoreService

__all__ = ["MockDatastoreService"]


class MockDatastoreService(DatastoreService):
    """Keeps items while the test runs. Values keep their types; the real service stores strings."""

    def __init__(self, logger, pack_name, class_name, api_username=None):
        super().__init__(call=None, logger=logger, pack_name=pack_name, class_name=class_name)
        self._username = api_username or "admin"
        self._datastore_items = {}

    def get_user_info(self):
        return {
            "username": self._username,
            "rbac": {"is_admin": True, "enabled": True, "roles": ["admin"]},
            "authentication": {"method": "authentication token", "location": "header"},
        }

    def list_values(self, local=True, prefix=None, limit=None, offset=None):
        full_prefix = (self._local_prefix if local else "") + (prefix or "")
        found = [item for name, item in self._datastore_items.items() if name.startswith(full_prefix)]
        return found[offset or 0 :][:limit]

    def get_value(self, name, local=True, scope=SYSTEM_SCOPE, decrypt=False):
        item = self._datastore_items.get(self._full_name(name, local, SYSTEM_SCOPE))
        return item and item.value

    def set_value(self, name, value, ttl=None, local=True, scope=SYSTEM_SCOPE, encrypt=False):
        full_name = self._full_name(name, local, SYSTEM_SCOPE)
        item = KeyValuePair(id=full_name, name=full_name, value=value)
        if ttl:
            self._logger.warning("MockDatastoreService is not able to expire keys based on ttl.")
            item.ttl = ttl
        self._datastore_items[full_name] = item
        return True

    def delete_value(self, name, local=True, scope=SYSTEM_SCOPE):
        return self._datastore_items.pop(self._full_name(name, local, SYSTEM_SCOPE), None) is not None
