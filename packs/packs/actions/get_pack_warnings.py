import os

from directories import pack_directory
from pack_api import packs_directory
from st2common.runners.base_action import Action

SUCCESS = "success"
OLD_CONFIG = (
    'The pack "%s" has a config.yaml, which is ignored. Move its values to configs/%s.yaml and describe them in '
    "config.schema.yaml."
)


class GetPackWarningsAction(Action):
    def run(self, packs_status):
        base = packs_directory()
        done = [ref for ref, status in (packs_status or {}).items() if SUCCESS in status.lower()]
        old = [ref for ref in done if os.path.isfile(os.path.join(pack_directory(base, ref), "config.yaml"))]
        return {"warning_list": [OLD_CONFIG % (ref, ref) for ref in old]}
