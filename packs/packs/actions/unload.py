import os

from directories import pack_directory
from pack_api import PROTECTED_PACKS, find_pack, packs_directory, unregister
from st2common.runners.base_action import Action


class UnloadAction(Action):
    def run(self, packs):
        refs = list(dict.fromkeys(packs))
        removed, kept = {}, {}
        for ref in self._registered(refs):
            self.logger.info('Unregistering the pack "%s"', ref)
            told = unregister(ref)
            _add(removed, told["removed"])
            _add(kept, told["kept"])
        return {"removed": removed, "kept": kept}

    def _registered(self, refs):
        """
        Checks every name before anything is removed. After an interrupted uninstallation, packs can have files without being
        registered, which is not an error.
        """
        refused = sorted(set(refs) & set(PROTECTED_PACKS))
        if refused:
            raise ValueError("Unregister includes an unregisterable pack - %s." % ", ".join(refused))
        registered = [ref for ref in refs if _is_registered(ref)]
        for ref in refs:
            if ref not in registered and not os.path.isdir(pack_directory(packs_directory(), ref)):
                raise ValueError('There is no pack "%s".' % ref)
        return registered


def _is_registered(ref):
    found = find_pack(ref)
    # The API also finds packs by id.
    return found is not None and found["ref"] == ref


def _add(all_refs, refs_by_kind):
    for kind, refs in refs_by_kind.items():
        all_refs.setdefault(kind, []).extend(refs)
