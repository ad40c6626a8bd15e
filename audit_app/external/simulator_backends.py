"""The benchmark's simulated back-ends, taken from the fetched package file and made afresh.

Nothing is unpacked: the few modules needed are read out of the file and compiled once. Their
global state is shared by the output's and the key's back-ends, as in the benchmark, but by no two
tasks: each task has its own copies of the modules.
"""

from __future__ import annotations

import copy
import decimal
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any
from zipfile import ZipFile

_ROOT = "bfcl_eval"
_FOLDER = f"{_ROOT}.eval_checker.multi_turn_eval.func_source_code"
_MODULE_OF_CLASS = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TwitterAPI": "posting_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "VehicleControlAPI": "vehicle_control",
}
_SHARED_MODULES = ("long_context",)
_STATELESS = frozenset({"MathAPI"})


class UnknownBackendError(Exception):
    """A class that is none of the simulated back-ends."""


class BackendModules(MetaPathFinder, Loader):
    """Finds the back-ends' modules in the package file, and nothing else of it."""

    def __init__(self, package: Path) -> None:
        self._code: dict[str, CodeType] = {}
        with ZipFile(package) as archive:
            for module in (*_MODULE_OF_CLASS.values(), *_SHARED_MODULES):
                name = f"{_FOLDER}.{module}"
                source = archive.read(f"{name.replace('.', '/')}.py")
                self._code[name] = compile(source, f"{name}.py", "exec", dont_inherit=True)
        parts = _FOLDER.split(".")
        self._packages = {".".join(parts[:n]) for n in range(1, len(parts) + 1)}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module comes from: from here, or None."""
        if fullname not in self._code and fullname not in self._packages:
            return None
        return spec_from_loader(fullname, self, is_package=fullname in self._packages)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's own code; its folders have none."""
        code = self._code.get(module.__name__)
        if code is not None:
            exec(code, module.__dict__)  # of the pinned package file, never of a model

    def forget(self) -> None:
        """Forget the modules and what they have set for the whole process."""
        for name in [name for name in sys.modules if name.partition(".")[0] == _ROOT]:
            del sys.modules[name]
        decimal.setcontext(decimal.Context())
        mpmath = sys.modules.get("mpmath")
        if mpmath is not None:
            mpmath.mp.dps = 15


def make_backends(
    classes: Sequence[str], initial: Mapping[str, Any], *, long_context: bool
) -> dict[str, object]:
    """One back-end a class, in the state in which the task begins.

    Raises:
        UnknownBackendError: A class is none of the simulated ones.
        ModuleNotFoundError: A library that a back-end needs is not installed.
    """
    made: dict[str, object] = {}
    for name in classes:
        if name not in _MODULE_OF_CLASS:
            raise UnknownBackendError(name)
        backend = getattr(import_module(f"{_FOLDER}.{_MODULE_OF_CLASS[name]}"), name)()
        if name not in _STATELESS:
            state = copy.deepcopy(initial.get(name, {}))
            backend._load_scenario(state, long_context=long_context)
        made[name] = backend
    return made
