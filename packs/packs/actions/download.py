import os
import shutil
import tempfile

from directories import pack_directory
from git import GitError, clone, is_repository, switch_to
from locked import locked
from pack_api import packs_directory
from pack_file import pack_ref
from pack_source import directory_of, parse_source
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
            except (GitError, OSError, ValueError) as error:
                results[text] = "Failure : %s" % error
            else:
                results[ref] = SUCCESS
                done += 1
        return done > 0, results

    def _download(self, text, base, environment, force):
        source = parse_source(text)
        self.logger.info("Downloading %s", source.masked_url)
        with locked(source.url), tempfile.TemporaryDirectory(prefix="pack_") as scratch:
            fetched = os.path.join(scratch, "pack")
            _fetch(source, fetched, environment)
            ref = pack_ref(fetched)
            _replace(fetched, pack_directory(base, ref), force)
        return ref


def _fetch(source, target, environment):
    directory = directory_of(source)
    if directory is not None and not os.path.isdir(directory):
        raise ValueError('There is no directory "%s".' % directory)
    if directory is not None and not is_repository(directory):
        if source.version:
            raise ValueError('"%s" is no repository of git: it has no versions.' % directory)
        shutil.copytree(directory, target, symlinks=True)
        return
    clone(source.url, target, environment)
    if source.version:
        switch_to(target, source.version)


def _replace(fetched, target, force):
    """The new pack is complete before the old one goes. The former kind of configuration, in the pack itself, is kept."""
    staged, former = target + ".new", target + ".old"
    for leftover in (staged, former):
        shutil.rmtree(leftover, ignore_errors=True)
    if os.path.lexists(target) and not force and os.path.islink(target):
        raise ValueError('"%s" is a link to a directory that somebody works on; "force" replaces it.' % target)
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
