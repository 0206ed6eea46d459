"""Modules for sensors, under the names that they have in StackStorm."""

from switchyard_modules import watch_imports

watch_imports()
