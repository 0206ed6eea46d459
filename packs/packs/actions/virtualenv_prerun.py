from st2common.runners.base_action import Action

SUCCESS = "success"


class VirtualenvPrerunAction(Action):
    def run(self, packs_status, packs_list=None):
        done = [ref for ref, status in (packs_status or {}).items() if SUCCESS in status.lower()]
        before = packs_list or []
        # Dependencies are downloaded last, so they come first here.
        return [ref for ref in done if ref not in before] + before
