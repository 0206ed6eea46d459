import os

from git import GitError, is_repository, run_git
from pack_api import find_pack
from st2common.runners.base_action import Action

NO_REPOSITORY = "The pack is not a git repository, so its changes are unknown."


class GetAction(Action):
    def run(self, pack, branch="master"):
        found = find_pack(pack)
        if found is None:
            return {"pack": None, "git_status": None}
        return {"pack": found, "git_status": _git_status(found.get("path"), branch)}


def _git_status(directory, branch):
    if not directory or not os.path.isdir(directory) or not is_repository(directory):
        return NO_REPOSITORY
    try:
        changed = run_git("status", "--short", directory=directory)
        ahead = run_git("log", "--oneline", "--end-of-options", "origin/%s..HEAD" % branch, directory=directory)
    except GitError as error:
        return "git: %s" % error
    return "Changed:\n%s\nCommits not in origin/%s:\n%s" % (changed or "nothing", branch, ahead or "none")
