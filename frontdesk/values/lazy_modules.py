"""Libraries that are imported when they are first used, so that commands which do not need them start sooner."""

from importlib import import_module


class LazyModule:
    """Stands for a module, and imports it when the first of its attributes is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> object:
        return getattr(import_module(self._name), attribute)
