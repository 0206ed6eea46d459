from st2common.runners.base_action import Action


class TranslatorAction(Action):
    def __init__(self, config=None, action_service=None):
        super().__init__(config=config, action_service=action_service)
        if not self.config.get("token"):
            raise ValueError("The configuration has no token.")
        self.address = "%s:%d" % (self.config["server"]["host"], self.config["server"]["port"])

    def signature(self):
        return "%s@%s" % (len(self.config["token"]), self.config["region"])
