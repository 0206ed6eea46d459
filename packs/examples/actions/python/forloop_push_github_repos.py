import json

from st2common.runners.base_action import Action

HOUR = 60 * 60


class PushRepositories(Action):
    def run(self, repositories, page):
        self.action_service.set_value("page_%d" % page, json.dumps(repositories), ttl=HOUR)
        return len(repositories)
