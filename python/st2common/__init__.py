"""Modules under the names that they have in StackStorm. docs/actions-python.md lists them."""

from switchyard_modules import watch_imports

__version__ = "3.9.0"

watch_imports()
