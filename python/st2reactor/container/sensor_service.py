"""The services of the system for sensors."""

import logging
import os

from st2common.services.datastore import DatastoreService, SYSTEM_SCOPE
from st2reactor.container.channel import CallError
from st2reactor.container.sensor_logging import ROOT_NAME

__all__ = ["SensorService"]


class SensorDatastoreService(DatastoreService):
    def get_api_client(self):
        """:return: a client of the API with the token of the sensor, see `full_client`"""
        # Most sensors never use it, so they do not have to wait for its imports.
        from st2common.services.api_client import full_client

        return full_client(_variable("API_URL"), _variable("AUTH_TOKEN"))


class SensorService:
    def __init__(self, channel, pack, class_name):
        self._channel = channel
        self._logger_name = "%s.%s.%s" % (ROOT_NAME, pack, class_name)
        self._logger = logging.getLogger(self._logger_name)
        self._datastore_service = SensorDatastoreService(
            call=channel.call, logger=self._logger, pack_name=pack, class_name=class_name
        )

    @property
    def datastore_service(self):
        return self._datastore_service

    def get_logger(self, name):
        """:return: a logger whose records go to the log of the system"""
        return logging.getLogger("%s.%s" % (self._logger_name, name))

    def get_user_info(self):
        return self._datastore_service.get_user_info()

    def dispatch(self, trigger, payload=None, trace_tag=None):
        """
        Dispatches a trigger. When this returns, the event is stored and cannot be lost.

        :param trigger: reference of a trigger, or a dictionary with `type` and `parameters`
        :param payload: a dictionary; if it violates the schema of the trigger type, that is logged and nothing is dispatched
        :param trace_tag: names a new trace
        """
        self.dispatch_with_context(trigger, payload, {"trace_tag": trace_tag} if trace_tag else None)

    def dispatch_with_context(self, trigger, payload=None, trace_context=None):
        """
        :param trace_context: a `TraceContext`, or a dictionary with `id_` or `trace_tag`
        """
        try:
            self._channel.call("dispatch", trigger=trigger, payload=payload, trace_context=_context(trace_context))
        except CallError as error:
            self._logger.error("%s", error)

    def list_values(self, local=True, prefix=None, limit=None, offset=None):
        return self._datastore_service.list_values(local=local, prefix=prefix, limit=limit, offset=offset)

    def get_value(self, name, local=True, scope=SYSTEM_SCOPE, decrypt=False):
        return self._datastore_service.get_value(name, local=local, scope=scope, decrypt=decrypt)

    def set_value(self, name, value, ttl=None, local=True, scope=SYSTEM_SCOPE, encrypt=False):
        return self._datastore_service.set_value(name, value, ttl=ttl, local=local, scope=scope, encrypt=encrypt)

    def delete_value(self, name, local=True, scope=SYSTEM_SCOPE):
        return self._datastore_service.delete_value(name, local=local, scope=scope)


def _variable(name):
    return os.environ.get("SVC_" + name) or os.environ.get("ST2_" + name)


def _context(given):
    if given is None:
        return None
    fields = given if isinstance(given, dict) else vars(given)
    return {name: fields[name] for name in ("id_", "trace_tag") if fields.get(name)}
