import json
import os
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from st2common.runners.base_action import Action

TIMEOUT_S = 60


class InjectTriggerAction(Action):
    def run(self, trigger=None, trigger_name=None, payload=None, trace_tag=None):
        if trigger and trigger_name:
            raise ValueError("Parameters `trigger` and `trigger_name` are mutually exclusive.")
        if not trigger and not trigger_name:
            raise ValueError("You must include the `trigger_name` parameter.")
        event = {"trigger": trigger or trigger_name, "payload": payload or {}}
        return _post("/webhooks/st2", event, {"St2-Trace-Tag": trace_tag} if trace_tag else {})


def _post(path, body, headers):
    request = Request(
        os.environ["ST2_ACTION_API_URL"] + path,
        data=json.dumps(body).encode("utf-8"),
        headers={"Content-Type": "application/json", "X-Auth-Token": os.environ["ST2_ACTION_AUTH_TOKEN"], **headers},
    )
    # The API is local to the system, so requests bypass proxies.
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(request, timeout=TIMEOUT_S) as answer:
            return json.loads(answer.read().decode("utf-8"))
    except HTTPError as error:
        raise RuntimeError("The API responded with status %d: %s" % (error.code, error.read().decode("utf-8", "replace"))) from None
