"""Makes a package available under a second name, with the same modules, so that classes are identical."""

import importlib
import importlib.abc
import importlib.util
import sys


def alias(name, real):
    """Makes `import <name>.x.y` return the module `<real>.x.y`, and `import <name>` the package itself."""
    sys.meta_path.insert(0, _AliasFinder(name + ".", real + "."))
    sys.modules[name] = importlib.import_module(real)


class _AliasFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, prefix, real_prefix):
        self._prefix = prefix
        self._real_prefix = real_prefix

    def find_spec(self, fullname, path=None, target=None):
        if not fullname.startswith(self._prefix):
            return None
        real = self._real_prefix + fullname[len(self._prefix) :]
        if importlib.util.find_spec(real) is None:
            return None
        return importlib.util.spec_from_loader(fullname, self)

    def create_module(self, spec):
        module = importlib.import_module(self._real_prefix + spec.name[len(self._prefix) :])
        # The import system writes the alias into the module, so the original attributes are restored.
        spec.loader_state = (module.__spec__, module.__loader__)
        return module

    def exec_module(self, module):
        module.__spec__, module.__loader__ = module.__spec__.loader_state
