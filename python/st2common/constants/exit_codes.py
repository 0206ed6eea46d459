"""Exit codes of the processes of actions."""

SUCCESS_EXIT_CODE = 0
FAILURE_EXIT_CODE = 1
SIGKILL_EXIT_CODE = 9
SIGTERM_EXIT_CODE = 15
