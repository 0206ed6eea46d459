"""Runs git."""

import os
import subprocess

__all__ = ["GitError", "clone", "is_repository", "run_git", "switch_to"]


class GitError(Exception):
    """git failed. The message is its output."""


def run_git(*arguments, directory=None, environment=None):
    """:return: the output of git"""
    try:
        done = subprocess.run(
            ["git"] + list(arguments),
            cwd=directory,
            # Without a terminal nobody can answer prompts.
            env=dict(os.environ, GIT_TERMINAL_PROMPT="0", **(environment or {})),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
        )
    except FileNotFoundError:
        raise GitError("The program git is not installed on this host.") from None
    if done.returncode != 0:
        raise GitError(done.stderr.strip() or "git ended with code %d." % done.returncode)
    return done.stdout.strip()


def clone(url, directory, environment=None):
    run_git("clone", "--quiet", "--", url, directory, environment=environment)


def is_repository(directory):
    return os.path.exists(os.path.join(directory, ".git"))


def switch_to(directory, version):
    """
    :param version: branch, commit or tag; for the tag `v1.2.3` also `1.2.3`
    :raises GitError: lists the existing versions
    """
    for name in ("refs/remotes/origin/" + version, version, "refs/tags/v" + version):
        try:
            commit = run_git("rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}", directory=directory)
        except GitError:
            continue
        run_git("checkout", "--quiet", "--detach", commit, directory=directory)
        return
    tags = [tag for tag in run_git("tag", "--list", "v*.*.*", directory=directory).splitlines() if tag]
    versions = ", ".join(tag[1:] for tag in tags) or "none"
    raise GitError('There is no version "%s". Versions: %s.' % (version, versions))
