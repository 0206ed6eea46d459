import os
import shutil

from directories import pack_directory, virtualenv_places
from pack_api import PROTECTED_PACKS, packs_directory
from st2common.runners.base_action import Action


class DeleteAction(Action):
    def run(self, packs, abs_repo_base=None, delete_env=True):
        refused = sorted(set(packs) & set(PROTECTED_PACKS))
        if refused:
            raise ValueError("Uninstall includes an uninstallable pack - %s." % ", ".join(refused))
        base = abs_repo_base or packs_directory()
        # Checks every name before it removes anything.
        directories = {ref: pack_directory(base, ref) for ref in packs}
        for ref, directory in directories.items():
            places = [directory] + (virtualenv_places(base, ref) if delete_env else [])
            for place in places:
                self._delete(place)

    def _delete(self, place):
        if os.path.islink(place):
            os.unlink(place)
        elif os.path.isdir(place):
            shutil.rmtree(place)
        else:
            return
        self.logger.info('Deleted "%s"', place)
