"""Datastore items of sensors and actions."""

from st2common.models.api.keyvalue import KeyValuePair

__all__ = ["DatastoreService", "SYSTEM_SCOPE"]

SYSTEM_SCOPE = "system"
_SEPARATOR = ":"


class DatastoreService:
    """
    Reads and writes items. A local item belongs to one class of one pack: its name begins with `<pack>.<class>:`.

    :param call: `call(method, **parameters)` calls the system and returns its answer, or raises
    """

    def __init__(self, call, logger, pack_name, class_name):
        self._call = call
        self._logger = logger
        self._local_prefix = "%s.%s%s" % (pack_name, class_name, _SEPARATOR)

    def get_user_info(self):
        """:return: the user whose permissions apply, as in the response of `GET /user`"""
        return self._call("get_user_info")

    def list_values(self, local=True, prefix=None, limit=None, offset=None):
        """:return: items whose name begins with the prefix, as `KeyValuePair`"""
        full_prefix = (self._local_prefix if local else "") + (prefix or "")
        found = self._call("list_values", prefix=full_prefix or None, limit=limit, offset=offset or 0)
        return [KeyValuePair(**item) for item in found]

    def get_value(self, name, local=True, scope=SYSTEM_SCOPE, decrypt=False):
        """:return: the value, or None if there is no such item or it cannot be read (see the log)"""
        full_name = self._full_name(name, local, scope)
        try:
            return self._call("get_value", name=full_name, decrypt=bool(decrypt))
        except Exception as error:
            self._logger.exception('The datastore item "%s" cannot be read: %s', full_name, error)
            return None

    def set_value(self, name, value, ttl=None, local=True, scope=SYSTEM_SCOPE, encrypt=False):
        """
        :param value: stored as a string
        :param ttl: seconds after which the item expires
        :return: True
        """
        full_name = self._full_name(name, local, scope)
        self._call("set_value", name=full_name, value=str(value), ttl=ttl, encrypt=bool(encrypt))
        return True

    def delete_value(self, name, local=True, scope=SYSTEM_SCOPE):
        """:return: True, also if there is no such item; False if it cannot be deleted (see the log)"""
        full_name = self._full_name(name, local, scope)
        try:
            self._call("delete_value", name=full_name)
        except Exception as error:
            self._logger.exception('The datastore item "%s" cannot be deleted: %s', full_name, error)
            return False
        return True

    def _full_name(self, name, local, scope):
        if scope != SYSTEM_SCOPE:
            raise ValueError("Scope %s is unsupported." % scope)
        return self._local_prefix + name if local else name
