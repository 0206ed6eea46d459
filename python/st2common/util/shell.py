"""Runs and quotes commands."""

import os
import shlex
import subprocess

__all__ = ["run_command", "kill_process", "quote_unix", "quote_windows"]


def run_command(
    cmd,
    stdin=None,
    stdout=subprocess.PIPE,
    stderr=subprocess.PIPE,
    shell=False,
    cwd=None,
    env=None,
    close_fds=None,
):
    """
    Runs a command and waits for its end.

    :param cmd: a list of arguments, or a string
    :param env: the whole environment; without one, that of this process
    :return: exit code, standard output and standard error as strings
    :raises TypeError: if the command is neither a list nor a string
    """
    if not isinstance(cmd, (list, tuple, str)):
        raise TypeError("Command must be a type of list, tuple, or string, not '%s'." % type(cmd))
    process = subprocess.Popen(
        cmd,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        shell=shell,
        cwd=cwd,
        env=env or os.environ.copy(),
        close_fds=close_fds is None or close_fds,
    )
    out, err = process.communicate()
    return (process.returncode, _text(out), _text(err))


def _text(output):
    """Output that was sent elsewhere is None."""
    return "" if output is None else output.decode()


def kill_process(process):
    """
    Sends SIGTERM to all processes of the session that a process leads, with sudo.

    :return: the exit code of `pkill`
    """
    return subprocess.call(["sudo", "pkill", "-TERM", "-s", str(process.pid)], timeout=100)


def quote_unix(value):
    """:return: the value as one word of a command line of a Unix shell"""
    return shlex.quote(value)


def quote_windows(value):
    """:return: the value as one word of a command line of Windows, by the rules of Microsoft's C runtime"""
    return subprocess.list2cmdline([value])
