"""Modules for actions under their older names in StackStorm, which packs import."""

from switchyard_modules import watch_imports

watch_imports()
