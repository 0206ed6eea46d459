"""The services of the system for actions."""

from st2common.runners.action_logging import action_logger

__all__ = ["ActionService"]

_SYSTEM = "system"


class ActionService:
    def __init__(self, pack, class_name, logger=None):
        """:param logger: if absent, the logger of the class"""
        self._pack = pack
        self._class_name = class_name
        self._logger = logger
        self._datastore_service = None

    @property
    def datastore_service(self):
        if self._datastore_service is None:
            # Most actions never use it, so they do not have to wait for its imports.
            from st2common.runners.action_datastore import ActionDatastoreService

            logger = self._logger or action_logger(self._class_name)
            self._datastore_service = ActionDatastoreService(self._pack, self._class_name, logger)
        return self._datastore_service

    def get_user_info(self):
        """:return: the user whose permissions apply, as in the response of `GET /user`"""
        return self.datastore_service.get_user_info()

    def list_values(self, local=True, prefix=None, limit=None, offset=None):
        return self.datastore_service.list_values(local=local, prefix=prefix, limit=limit, offset=offset)

    def get_value(self, name, local=True, scope=_SYSTEM, decrypt=False):
        return self.datastore_service.get_value(name, local=local, scope=scope, decrypt=decrypt)

    def set_value(self, name, value, ttl=None, local=True, scope=_SYSTEM, encrypt=False):
        return self.datastore_service.set_value(name, value, ttl=ttl, local=local, scope=scope, encrypt=encrypt)

    def delete_value(self, name, local=True, scope=_SYSTEM):
        return self.datastore_service.delete_value(name, local=local, scope=scope)
