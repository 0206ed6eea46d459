import json

from st2common.runners.base_action import Action

HOUR = 60 * 60


class PushRepositories(Action):
    def run(self, data_to_push):
        for name, url in data_to_push.items():
            self.action_service.set_value(name.replace("/", "."), json.dumps({"url": url}), ttl=HOUR)
        return len(data_to_push)
