"""The command line of a script with the parameters of an action, for tests of scripts that parse their arguments."""

from shlex import quote

__all__ = ["ShellScriptAction"]


class ShellScriptAction:
    def __init__(
        self,
        name,
        action_exec_id,
        script_local_path_abs,
        named_args=None,
        positional_args=None,
        env_vars=None,
        user=None,
        sudo=False,
        timeout=None,
        cwd=None,
        sudo_password=None,
    ):
        self.name = name
        self.action_exec_id = action_exec_id
        self.script_local_path_abs = script_local_path_abs
        self.named_args = named_args
        self.positional_args = positional_args
        self.env_vars = env_vars or {}
        self.user = user
        self.sudo = sudo
        self.timeout = timeout
        self.cwd = cwd
        self.sudo_password = sudo_password

    def get_full_command_string(self):
        """:return: the command line for the user that runs the test"""
        arguments = self._get_script_arguments(self.named_args, self.positional_args)
        return " ".join(part for part in (quote(self.script_local_path_abs), arguments) if part)

    def get_timeout(self):
        return self.timeout

    def get_cwd(self):
        return self.cwd

    def _get_script_arguments(self, named_args=None, positional_args=None):
        """Names include their dashes. Empty and false values are left out; for true, only the name is passed."""
        parts = []
        for name, value in (named_args or {}).items():
            if value is True:
                parts.append(name)
            elif value is not None and value is not False and value != "":
                parts.append("%s=%s" % (quote(name), quote(str(value))))
        return " ".join(parts + [quote(value) for value in positional_args or ()])
