import json

from st2common.runners.base_action import Action

# The settings that the configuration schema marks as secret.
SECRETS = ("api_key", "api_secret")


class PrintConfig(Action):
    def run(self):
        shown = {name: "(set)" if name in SECRETS and value else value for name, value in self.config.items()}
        print(json.dumps(shown, indent=2, sort_keys=True))
        return shown
