import random
import subprocess

from st2common.runners.base_action import Action


class DigAction(Action):
    def run(self, hostname, querytype="A", queryopts="short", nameserver=None, count=0, rand=False):
        command = ["dig"]
        if nameserver:
            command.append("@" + nameserver)
        # "-q" keeps dig from reading a name that starts with a dash as an option.
        command += ["-q", hostname, "-t", querytype]
        command += ["+" + option.strip() for option in (queryopts or "").split(",") if option.strip()]
        done = _run(command)
        if done.returncode != 0:
            return False, done.stderr.strip() or done.stdout.strip()
        answers = [line for line in done.stdout.splitlines() if line]
        if rand:
            random.shuffle(answers)
        return answers[:count] if count > 0 else answers


def _run(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    except FileNotFoundError:
        raise RuntimeError("The program dig is not installed on this host.") from None
