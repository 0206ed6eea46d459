from pack_api import SYSTEM_PACKS, ApiError, delete, find_pack, list_of_pack, switch_off
from st2common.runners.base_action import Action

# In this order nothing is left that uses what has gone before: rules start actions and listen to trigger types.
COLLECTIONS = (
    ("rules", "rules"),
    ("aliases", "actionalias"),
    ("policies", "policies"),
    ("sensors", "sensortypes"),
    ("triggers", "triggertypes"),
    ("actions", "actions"),
)

# The API has no way to delete records of this kind.
NO_WAY = (404, 405)


class UnloadAction(Action):
    def run(self, packs):
        refs = list(dict.fromkeys(packs))
        self._check(refs)
        removed, refused, switched_off = {}, {}, []
        for ref in refs:
            switched_off += _switch_off_sensors(ref)
            for kind, collection in COLLECTIONS:
                for name in self._remove(ref, collection, refused):
                    removed.setdefault(kind, []).append(name)
            # The pack goes last: as long as anything of it is left, this can be done again.
            if not refused and _try_delete("packs", ref, refused) and find_pack(ref) is None:
                removed.setdefault("packs", []).append(ref)
        remaining = _remaining(refs)
        told = {"removed": removed, "remaining": remaining, "refused": refused}
        told["switched_off"] = [name for name in switched_off if name in remaining.get("sensors", [])]
        return not refused, told

    def _check(self, refs):
        """Every name is looked at before anything is gone."""
        refused = sorted(set(refs) & set(SYSTEM_PACKS))
        if refused:
            raise ValueError("Unregister includes an unregisterable pack - %s." % ", ".join(refused))
        for ref in refs:
            found = find_pack(ref)
            # The API finds packs by their ids, too.
            if found is None or found["ref"] != ref:
                raise ValueError('There is no pack "%s" that is registered.' % ref)

    def _remove(self, ref, collection, refused):
        names = [record["ref"] for record in list_of_pack(collection, ref)]
        for name in names:
            self.logger.info("Removing %s from %s", name, collection)
            _try_delete(collection, name, refused)
        left = {record["ref"] for record in list_of_pack(collection, ref)}
        return [name for name in names if name not in left]


def _switch_off_sensors(ref):
    """
    Before anything is deleted: one that goes on would dispatch triggers whose types are gone, and one that cannot be deleted
    must not be started any more.

    :return: references of those that were on
    """
    names = [sensor["ref"] for sensor in list_of_pack("sensortypes", ref) if sensor["enabled"]]
    for name in names:
        switch_off("sensortypes", name)
    return names


def _try_delete(collection, ref, refused):
    """:return: whether the API has done it; what it says against it is put into `refused`"""
    try:
        delete(collection, ref)
    except ApiError as error:
        if error.status not in NO_WAY:
            refused[ref] = str(error)
        return False
    return True


def _remaining(refs):
    """:return: references by kind of what is still there"""
    left = {}
    for ref in refs:
        for kind, collection in COLLECTIONS:
            for record in list_of_pack(collection, ref):
                left.setdefault(kind, []).append(record["ref"])
        if find_pack(ref) is not None:
            left.setdefault("packs", []).append(ref)
    return left
