from st2common.runners.base_action import Action


class Remember(Action):
    def run(self, name, value):
        service = self.action_service
        service.set_value(name, value)
        service.set_value(name=name + ".shared", value=value, local=False, ttl=60)
        service.set_value(name + ".hidden", value, encrypt=True)
        kept = {
            "own": service.get_value(name),
            "shared": service.get_value(name + ".shared", local=False),
            "hidden": service.get_value(name + ".hidden", decrypt=True),
            "missing": service.get_value("nothing of that name"),
            "names": sorted(item.name for item in service.list_values(prefix=name)),
            "user": service.get_user_info()["username"],
        }
        kept["deleted"] = service.delete_value(name)
        kept["after"] = service.get_value(name)
        return kept
