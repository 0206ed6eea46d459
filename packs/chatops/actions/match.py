from aliases import post
from st2common.runners.base_action import Action


class MatchAction(Action):
    def run(self, text):
        found = post("/actionalias/match", {"command": text})
        return {
            "alias": found["actionalias"],
            "display": found["display"],
            "representation": found["representation"],
        }
