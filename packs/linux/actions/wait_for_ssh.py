import contextlib
import os
import subprocess
import tempfile
import time

from st2common.runners.base_action import Action

# Prints the password that ssh asks for. The password is in the environment, which process lists do not show.
ASK_PASSWORD = '#!/bin/sh\nprintf "%s\\n" "$WAIT_FOR_SSH_PASSWORD"\n'


class WaitForSSHAction(Action):
    def run(
        self,
        hostname,
        port=22,
        username="stanley",
        password=None,
        keyfile=None,
        ssh_timeout=5,
        sleep_delay=20,
        retries=10,
    ):
        command = _command(hostname, port, username, password, keyfile, ssh_timeout)
        last = ""
        with _password_program(password) as environment:
            for attempt in range(retries):
                if attempt > 0:
                    time.sleep(sleep_delay)
                self.logger.debug("Attempt %d to log in to %s", attempt + 1, hostname)
                last = _try(command, environment, ssh_timeout)
                if last is None:
                    return True
        raise RuntimeError("Login to %s failed after %d attempts. %s" % (hostname, retries, last))


def _command(hostname, port, username, password, keyfile, ssh_timeout):
    methods = "password,keyboard-interactive" if password else "publickey"
    options = {
        "ConnectTimeout": ssh_timeout,
        "PreferredAuthentications": methods,
        "NumberOfPasswordPrompts": 1,
        "BatchMode": "no" if password else "yes",
        # The host key of a new machine is not known yet.
        "StrictHostKeyChecking": "no",
        "UserKnownHostsFile": "/dev/null",
        "LogLevel": "ERROR",
    }
    command = ["ssh", "-p", str(port), "-l", username]
    for name, value in options.items():
        command += ["-o", "%s=%s" % (name, value)]
    if keyfile and not password:
        command += ["-i", keyfile, "-o", "IdentitiesOnly=yes"]
    return command + ["--", hostname, "true"]


def _try(command, environment, ssh_timeout):
    """:return: why the login failed, or None if it succeeded"""
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            # The timeout of ssh only covers the connection.
            timeout=ssh_timeout * 3,
        )
    except subprocess.TimeoutExpired:
        return "There was no answer in time."
    except FileNotFoundError:
        raise RuntimeError("The program ssh is not installed on this host.") from None
    return None if done.returncode == 0 else done.stdout.strip()


@contextlib.contextmanager
def _password_program(password):
    if not password:
        yield dict(os.environ)
        return
    handle, path = tempfile.mkstemp(prefix="wait_for_ssh_")
    try:
        with os.fdopen(handle, "w") as program:
            program.write(ASK_PASSWORD)
        os.chmod(path, 0o700)
        yield dict(
            os.environ,
            WAIT_FOR_SSH_PASSWORD=password,
            SSH_ASKPASS=path,
            SSH_ASKPASS_REQUIRE="force",
            DISPLAY=os.environ.get("DISPLAY", ":0"),
        )
    finally:
        os.unlink(path)
