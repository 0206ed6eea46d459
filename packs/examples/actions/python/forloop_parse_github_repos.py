import json

from st2common.runners.base_action import Action


class ParseRepositories(Action):
    def run(self, content):
        return {repository["full_name"]: repository["html_url"] for repository in json.loads(content)}
