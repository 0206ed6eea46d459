import os

from directories import pack_directory
from pack_api import find_pack, packs_directory
from pack_file import pack_dependencies, pack_fields, pack_ref
from pack_source import directory_of, index_name, parse_source
from st2common.runners.base_action import Action

SUCCESS = "success"


class GetPackDependenciesAction(Action):
    def run(self, packs_status, nested):
        base = packs_directory()
        wanted, conflicts = [], []
        for ref, status in (packs_status or {}).items():
            if SUCCESS not in status.lower():
                continue
            for dependency in pack_dependencies(pack_directory(base, ref)):
                self._look_at(base, dependency, packs_status, wanted, conflicts)
        return {"dependency_list": wanted, "conflict_list": conflicts, "nested": nested - 1}

    def _look_at(self, base, dependency, packs_status, wanted, conflicts):
        name, version = _named(dependency)
        installed = _installed_version(base, name)
        if installed is None:
            if dependency not in wanted and name not in packs_status:
                wanted.append(dependency)
        elif version and version.lstrip("v") != installed.lstrip("v") and dependency not in conflicts:
            conflicts.append(dependency)


def _named(dependency):
    """:return: the likely reference of a dependency, and its version"""
    named = index_name(dependency)
    if named is not None:
        return named
    source = parse_source(dependency)
    directory = directory_of(source)
    if directory is not None and os.path.isdir(directory):
        return pack_ref(directory), source.version
    name = source.url.rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1]
    name = name[: -len(".git")] if name.endswith(".git") else name
    for prefix in ("stackstorm-", "stackstorm_"):
        name = name[len(prefix) :] if name.startswith(prefix) else name
    return name.replace("-", "_"), source.version


def _installed_version(base, ref):
    try:
        return pack_fields(pack_directory(base, ref)).get("version")
    except ValueError:
        found = find_pack(ref)
        return found and found["version"]
