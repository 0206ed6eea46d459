from base import TranslatorAction


class Describe(TranslatorAction):
    def run(self):
        return {name: value for name, value in self.config.items() if name != "token"}
