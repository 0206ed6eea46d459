from st2common.runners.base_action import Action


class YamlStringToObject(Action):
    def run(self, document, yaml_str=None):
        if yaml_str is None:
            return None
        self.logger.debug("%d characters of YAML", len(yaml_str))
        return document["content"]
