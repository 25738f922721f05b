"""Sandbox a process: it may only compute, allocate memory, read clocks and write to open files.

Linux filters the system calls of the process (seccomp(2)). Whatever Python code tries, it cannot
open files or sockets, start processes, or send signals to other processes; these calls fail with
EPERM. On a machine that cannot filter system calls, no third-party code is run.
"""

import ctypes
import os
import platform
import resource
import struct
from collections.abc import Sequence

_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000
_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER = 38, 22, 2
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_CALLS: dict[str, tuple[int, int]] = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "fstat": (5, 80),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "nanosleep": (35, 101),
    "getpid": (39, 172),
    "exit": (60, 93),
    "gettimeofday": (96, 169),
    "sigaltstack": (131, 132),
    "futex": (202, 98),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "exit_group": (231, 94),
    "getrandom": (318, 278),
}
"""The allowed system calls with their numbers on x86_64 and aarch64."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


class Filter:
    """A filter of system calls, which must be created before any third-party code runs.

    Raises OSError if this module has no filter for the system and processor of this machine.
    """

    def __init__(self) -> None:
        machine = platform.machine()
        if platform.system() != "Linux" or machine not in _ARCHITECTURES:
            raise OSError(f"system calls cannot be filtered for {platform.system()} on {machine}")
        index = 0 if machine == "x86_64" else 1
        numbers = [call_numbers[index] for call_numbers in _CALLS.values()]
        steps = _steps(_ARCHITECTURES[machine], numbers)
        self._steps = ctypes.create_string_buffer(steps, len(steps))
        self._program = _Program(len(steps) // 8, ctypes.cast(self._steps, ctypes.c_void_p))
        self._library = ctypes.CDLL(None, use_errno=True)

    def apply(self) -> None:
        """Restrict this process to the allowed system calls until it ends.

        Raises OSError if the system cannot filter system calls.
        """
        zero = ctypes.c_ulong(0)
        own = self._library.prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), zero, zero, zero)
        if own or self._library.prctl(
            _SECCOMP, ctypes.c_ulong(_FILTER), ctypes.byref(self._program), zero, zero
        ):
            raise OSError(ctypes.get_errno(), "system calls cannot be filtered on this machine")


def _steps(architecture: int, numbers: Sequence[int]) -> bytes:
    """Encode the instructions of a system call filter as the kernel reads them.

    Each instruction has 8 bytes: its code, the number of instructions to skip if its test is true,
    the number to skip if it is false (always 0), and a value.
    """

    def step(code: int, value: int, *, true: int = 0) -> bytes:
        return struct.pack("=HBBI", code, true, 0, value)

    # On another architecture the same numbers are other calls, so its processes are killed.
    instructions = [
        step(_LOAD, 4),
        step(_EQUAL, architecture, true=1),
        step(_RETURN, _KILL),
        step(_LOAD, 0),
    ]
    count = len(numbers)
    instructions += [
        step(_EQUAL, number, true=count - index) for index, number in enumerate(numbers)
    ]
    instructions += [step(_RETURN, _REFUSE), step(_RETURN, _ALLOW)]
    return b"".join(instructions)


def limit(seconds: int, memory: int) -> None:
    """Limit this process to `seconds` of processor time, and `memory` bytes beyond its current use.

    The process cannot lift the limits again.
    """
    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - pathlib is slow to import here
        used = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    for kind, most in (
        (resource.RLIMIT_AS, used + memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 0),
    ):
        resource.setrlimit(kind, (most, most))
