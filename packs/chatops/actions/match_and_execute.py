from aliases import post
from st2common.runners.base_action import Action


class MatchAndExecuteAction(Action):
    def run(self, text, source_channel=None, user=None, notification_channel=None, notification_route=None):
        request = {
            "command": text,
            "source_channel": source_channel or "",
            "user": user or "",
            "notification_channel": notification_channel,
            "notification_route": notification_route,
        }
        given = {name: value for name, value in request.items() if value is not None}
        return post("/aliasexecution/match_and_execute", given)["results"]
