"""What a time means nothing without: the machine and the versions."""

from __future__ import annotations

import hashlib
import platform
import subprocess
from importlib import metadata
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]


def describe() -> dict[str, str | int]:
    """The processor, its cores and its memory."""
    return {
        "cpu": cpu_model(),
        "cores": psutil.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 2**30),
        "system": f"{platform.system()} {platform.machine()}",
    }


def cpu_model() -> str:
    """The processor's own name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def versions(packages: tuple[str, ...]) -> dict[str, str]:
    """Python and the packages a method stands on."""
    return {"python": platform.python_version()} | {name: metadata.version(name) for name in packages}


def last_change(built: Path = ROOT / "build" / "release") -> dict[str, str]:
    """The last commit that changed a build, with a + where something was not committed, and its time: as tools/build left it there."""
    file = built / "commit"
    commit, _, date = (file.read_text().strip() if file.exists() else "").partition(" ")
    return {"commit": commit, "date": date}


def commit_of_program() -> str:
    return last_change()["commit"]


def program_version(program: Path) -> dict[str, str]:
    """Version and content of the mirrorball program: builds between two versions differ."""
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    return {"mirrorball": said, "program_sha256": hashlib.sha256(program.read_bytes()).hexdigest()[:12]}
