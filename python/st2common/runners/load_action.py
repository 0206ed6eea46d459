"""Loads an action from a file."""

import importlib.util
import os
import sys

# `importlib.machinery` exports it too, but loading that takes time in every interpreter.
from _frozen_importlib_external import SourceFileLoader

from st2common.runners.action_logging import prepare_logging
from st2common.runners.action_service import ActionService
from st2common.runners.base_action import Action

__all__ = ["create_action", "new_action", "ActionLoadError"]

_FAILED = (
    'Failed to load action class from file "%s" (action file most likely doesn\'t exist or contains invalid syntax): %s\n\n'
)


class ActionLoadError(Exception):
    """The file contains no action. The text says what is wrong."""


def create_action(file_path, pack, config):
    """:return: an instance of the first class, by name, that the file defines and that has a method `run`"""
    try:
        action_class = _find_class(_load_module(file_path), file_path)
    except Exception as error:
        # StackStorm's words. The traceback follows.
        sys.stderr.write(_FAILED % (file_path, error))
        raise
    # The file may have imported `logging`.
    prepare_logging()
    return new_action(action_class, config, ActionService(pack, action_class.__name__))


def _find_class(module, file_path):
    for _, found in sorted(vars(module).items()):
        # An action does not have to derive from our base class, but it needs its methods.
        if isinstance(found, type) and found.__module__ == module.__name__ and _implements(found):
            return found
    raise ActionLoadError('Found no classes in plugin file "%s" matching requirements.' % file_path)


def _implements(found):
    methods = [getattr(found, name, None) for name in Action.__abstractmethods__]
    return all(callable(method) and not getattr(method, "__isabstractmethod__", False) for method in methods)


def new_action(action_class, config, action_service):
    """:return: an action, even if the constructor of its class takes only the configuration"""
    try:
        return action_class(config=config, action_service=action_service)
    except TypeError as error:
        # The constructors of older actions, or of their own base classes, take only the configuration.
        if "unexpected keyword argument 'action_service'" not in str(error):
            raise
    action = action_class(config=config)
    action.action_service = action_service
    return action


def _load_module(file_path):
    if not file_path.endswith(".py"):
        raise ActionLoadError('The file "%s" of a Python action must end in .py.' % file_path)
    # An action may import the files next to it.
    sys.path.insert(0, os.path.dirname(file_path))
    name = os.path.splitext(os.path.basename(file_path))[0]
    if name in sys.modules or "." in name:
        # Others must still get their own module of that name.
        name = "action_" + name.replace(".", "_")
    loader = SourceFileLoader(name, file_path)
    spec = importlib.util.spec_from_file_location(name, file_path, loader=loader, submodule_search_locations=None)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
