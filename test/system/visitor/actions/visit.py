import time

import st2client
from st2client.client import Client
from st2client.models import KeyValuePair, LiveAction
from st2common.runners.base_action import Action


class Visit(Action):
    def run(self, message):
        # It finds the system and the token of the run in the environment.
        client = Client()
        # The client of the action service is the same one.
        other = self.action_service.datastore_service.get_api_client()
        execution = client.executions.create(LiveAction(action="core.echo", parameters={"message": message}))
        while execution.status not in ("succeeded", "failed", "timeout", "canceled"):
            time.sleep(0.1)
            execution = client.executions.get_by_id(execution.id)
        client.keys.update(KeyValuePair(name="visited", value=execution.result["stdout"]))
        return {
            "version": st2client.__version__,
            "class": "%s.%s" % (type(other).__module__, type(other).__name__),
            "user": execution.context["user"],
            "kept": other.keys.get_by_name("visited").value,
            "actions": sorted(action.ref for action in other.actions.get_all(pack="visitor")),
            "missing": client.keys.query(name="nothing"),
        }
