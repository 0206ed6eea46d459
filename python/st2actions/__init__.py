"""Old names of modules for actions, by the names that packs know from StackStorm."""

from switchyard_modules import watch_imports

watch_imports()
