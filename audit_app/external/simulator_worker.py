"""The process that runs the simulated back-ends: a task a line in, its outcome a line out.

It has no environment but a few names, no way to write files, to connect or to start programs, and
bounds on memory and time. What tries one of these ends the process.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import warnings
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from audit_app.external.simulator_backends import (
    BackendModules,
    UnknownBackendError,
    make_backends,
)
from audit_app.external.simulator_calls import CallRefusedError
from audit_app.external.simulator_check import check, replay

_FORBIDDEN = (
    *("socket.", "subprocess.", "ctypes.", "shutil.", "os.system", "os.exec", "os.fork"),
    *("os.posix_spawn", "os.spawn", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link"),
    *("os.symlink", "os.truncate", "os.chmod", "os.chown", "os.kill"),
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_BROKE_OUT = 70


def main() -> None:
    """Serve until the input ends. Arguments: package file, memory in MB, seconds a task."""
    package, memory_mb, timeout_s = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it decides when it ends
    replies = os.fdopen(os.dup(1), "w", encoding="ascii")
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    warnings.simplefilter("ignore")
    modules = BackendModules(package)
    sys.meta_path.insert(0, modules)
    _confine(memory_mb)
    _serve(sys.stdin, replies, modules, timeout_s)


def _serve(requests: IO[str], replies: IO[str], modules: BackendModules, timeout_s: float) -> None:
    for line in requests:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, timeout_s)  # ends the process, heard or not
        reply = _reply(json.loads(line))
        modules.forget()
        replies.write(json.dumps(reply) + "\n")
        replies.flush()
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        if reply["status"] == "error":
            return


def _reply(request: dict[str, Any]) -> dict[str, Any]:
    make = partial(
        make_backends,
        request["classes"],
        request["initial"],
        long_context=request["long_context"],
    )
    try:
        if request["key"] is None:  # no grade is asked for, but what the calls give
            results = replay(request["turns"], make)
            return {"status": "graded", "code": "", "given": [_plain(text) for text in results]}
        return {"status": "graded", **check(request["turns"], request["key"], make)}
    except CallRefusedError as error:
        return _no_verdict("not_graded", "simulator:refused", f"a call is not made, {error}")
    except UnknownBackendError as error:
        return _no_verdict("not_graded", "simulator:unknown_class", f"{error} is not simulated")
    except ModuleNotFoundError as error:
        note = f"the simulators need {error.name}; install the extra named simulate"
        return _no_verdict("not_graded", "simulator:library_missing", note)
    except MemoryError:
        return _no_verdict("error", "simulator:memory", "the calls need more memory than allowed")
    except Exception as error:  # with which the benchmark's checker would stop as well
        return _no_verdict("raises", type(error).__name__, str(error)[:200] or "no reason given")


def _no_verdict(status: str, code: str, note: str) -> dict[str, Any]:
    return {"status": status, "code": code, "note": _plain(note)}


def _plain(text: str) -> str:
    """The text without halves of surrogate pairs, which JSON readers refuse."""
    return text.encode("utf-8", "replace").decode()


def _confine(memory_mb: int) -> None:
    """Give up, for good, what the simulators have no need of."""
    try:
        resource = import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        pass  # this system knows no such bound; the bound on time holds everywhere
    sys.addaudithook(_watch)


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    is_writing = event == "open" and (
        arguments[2] & _WRITING if isinstance(arguments[2], int) else arguments[1] != "r"
    )
    if is_writing or event.startswith(_FORBIDDEN):
        os._exit(_BROKE_OUT)


if __name__ == "__main__":
    main()
