import grp
import os

from pack_api import packs_directory
from st2common.runners.base_action import Action


class GetConfigAction(Action):
    def run(self):
        path = packs_directory()
        return {"pack_group": _group_of(path), "pack_path": path}


def _group_of(path):
    number = os.stat(path).st_gid
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
