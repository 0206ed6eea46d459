import os
import shutil
import tempfile

from directories import lock_directory, pack_directory
from git import GitError, clone, is_repository, switch_to
from locked import locked
from pack_api import find_in_index, packs_directory
from pack_file import pack_fields, pack_ref
from pack_source import PackSource, directory_of, index_name, parse_source
from proxies import proxy_environment
from st2common.runners.base_action import Action

SUCCESS = "Success."
MODE = 0o775


class DownloadAction(Action):
    def run(self, packs, abs_repo_base=None, verifyssl=True, force=False, dependency_list=None):
        base = abs_repo_base or packs_directory()
        environment = proxy_environment(self.config)
        if not verifyssl:
            environment["GIT_SSL_NO_VERIFY"] = "true"
        results, done = {}, 0
        for text in dependency_list or packs:
            try:
                ref = self._download(text, base, environment, force)
            except (GitError, OSError, RuntimeError, ValueError) as error:
                results[text] = "Failure : %s" % error
            else:
                results[ref] = SUCCESS
                done += 1
        return done > 0, results

    def _download(self, text, base, environment, force):
        source, listed = _find(text)
        self.logger.info("Downloading %s", source.masked_url)
        with locked(source.url, lock_directory(base)), tempfile.TemporaryDirectory(prefix="pack_") as scratch:
            fetched = os.path.join(scratch, "pack")
            _fetch(source, listed, fetched, environment)
            ref = pack_ref(fetched)
            _replace(fetched, pack_directory(base, ref), force)
        return ref


def _find(text):
    """:return: the source of a pack, and the version in the index unless another one was requested"""
    named = index_name(text)
    if named is None:
        return parse_source(text), None
    name, version = named
    found = find_in_index(name)
    if found is None:
        raise ValueError('No record of the "%s" pack in the index.' % name)
    if not isinstance(found.get("repo_url"), str):
        raise ValueError('The index entry of the pack "%s" has no location.' % name)
    place = parse_source(found["repo_url"])
    listed = found.get("version") if version is None and place.version is None else None
    return PackSource(place.url, version or place.version), listed


def _fetch(source, listed, target, environment):
    directory = directory_of(source)
    if directory is not None and not os.path.isdir(directory):
        raise ValueError('There is no directory "%s".' % directory)
    if directory is not None and not is_repository(directory):
        if source.version:
            raise ValueError('"%s" is not a git repository, so it has no versions.' % directory)
        shutil.copytree(directory, target, symlinks=True)
        return
    clone(source.url, target, environment)
    if source.version:
        switch_to(target, source.version)
    elif listed:
        _switch_to_listed(target, str(listed))


def _switch_to_listed(target, version):
    """Accepts repositories without tags if they contain the version in the index."""
    try:
        switch_to(target, version)
    except GitError:
        if pack_fields(target).get("version") != version:
            raise


def _replace(fetched, target, force):
    """Removes the old pack only when the new one is complete. Keeps a config.yaml of the old pack."""
    staged, former = target + ".new", target + ".old"
    for leftover in (staged, former):
        shutil.rmtree(leftover, ignore_errors=True)
    if os.path.lexists(target) and not force and os.path.islink(target):
        raise ValueError('"%s" is a symbolic link, which is only replaced with "force".' % target)
    shutil.copytree(fetched, staged, symlinks=True)
    os.chmod(staged, MODE)
    kept = os.path.join(target, "config.yaml")
    if os.path.isfile(kept):
        shutil.copy2(kept, staged)
    if os.path.islink(target):
        os.unlink(target)
    elif os.path.exists(target):
        os.rename(target, former)
    os.rename(staged, target)
    shutil.rmtree(former, ignore_errors=True)
