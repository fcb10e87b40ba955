"""Accounts, sessions and tokens of a workspace.

A password is kept as its Argon2 hash; sessions and tokens are 256 random bits of which only the SHA-256 digest is kept,
and are looked up by it: the time of a look-up tells nothing about the secret.
"""

from __future__ import annotations

import getpass
import hashlib
import secrets
import time
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple, get_args

import sqlalchemy as sa

from bayesift.errors import BadInput, NotFound
from bayesift.filtering.store import journal
from bayesift.filtering.store.database import Database
from bayesift.filtering.store.locking import CATALOGUE
from bayesift.filtering.store.schema import people, sessions

Role = Literal["reader", "reviewer", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
SESSION_DAYS = 14
FRESH = 1.0  # seconds for which it is true that nobody has an account
SHORTEST = 10  # characters of a password
LONGEST_NAME = 80


class Person(NamedTuple):
    """Who asks."""

    name: str
    role: Role

    def may(self, role: Role) -> bool:
        """Return whether this person has at least a role.

        >>> Person("ada", "reviewer").may("reader"), Person("ada", "reviewer").may("admin")
        (True, False)
        """
        return ROLES.index(self.role) >= ROLES.index(role)


LOCAL = Person("local", "admin")  # on this machine, while there are no accounts


def this_user() -> str:
    """Return the name of who runs this program."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a user without a name, as in some containers
        return LOCAL.name


class People:
    """The accounts of a workspace."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._some = False
        self._looked = -FRESH  # when nobody was found last

    def exist(self) -> bool:
        """Return whether anybody has an account; once there is one, this stays so until the service starts again."""
        if not self._some and not self.none_lately:
            with self.database.read() as connection:
                self._some = connection.execute(sa.select(people.c.name).limit(1)).first() is not None
            self._looked = time.monotonic()
        return self._some

    @property
    def none_lately(self) -> bool:
        """Whether nobody had an account a moment ago; the database is not asked."""
        return not self._some and time.monotonic() - self._looked < FRESH

    def has_admin(self) -> bool:
        """Return whether somebody may manage people, sources and webhooks."""
        with self.database.read() as connection:
            found = connection.execute(sa.select(people.c.name).where(people.c.role == "admin").limit(1)).first()
        return found is not None

    def add(self, name: str, password: str, role: str, who: str | None = None) -> None:
        """Add an account, or raise BadInput; `who` does so."""
        name = name.strip()
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise BadInput(f"the name {name[:20]!r} cannot be used", remedy="give 1 to 80 printable characters")
        if role not in ROLES:
            raise BadInput(f"no role {role!r}", remedy=f"roles are: {', '.join(ROLES)}")
        if len(password) < SHORTEST:
            raise BadInput("the password is too short", remedy=f"give at least {SHORTEST} characters")
        row = {"name": name, "role": role, "password": _hasher().hash(password), "added": now()}
        with self.database.write(CATALOGUE) as connection:
            if connection.execute(sa.select(people.c.name).where(people.c.name == name)).first():
                raise BadInput(f"{name!r} has an account already", remedy="choose another name, or remove it first")
            connection.execute(people.insert(), row)
            journal.note(connection, "person-added", who, name=name, role=role)
        self._some = True

    def remove(self, name: str, who: str | None = None) -> None:
        """Remove an account with its sessions and tokens; the last admin stays."""
        with self.database.write(CATALOGUE) as connection:
            role = connection.execute(sa.select(people.c.role).where(people.c.name == name)).scalar()
            if role is None:
                raise NotFound(f"no account {name!r}", remedy="look at the list of people")
            admins = sa.select(sa.func.count()).select_from(people).where(people.c.role == "admin")
            if role == "admin" and connection.execute(admins).scalar() == 1:
                raise BadInput(f"{name!r} is the last admin", remedy="add another admin first")
            connection.execute(sessions.delete().where(sessions.c.person == name))
            connection.execute(people.delete().where(people.c.name == name))
            journal.note(connection, "person-removed", who, name=name)

    def listed(self) -> list[Person]:
        """Return all people, by name."""
        with self.database.read() as connection:
            rows = connection.execute(sa.select(people.c.name, people.c.role).order_by(people.c.name))
            return [Person(name, role) for name, role in rows]

    def log_in(self, name: str, password: str) -> str | None:
        """Return a new session, or None if name and password do not fit. Both cases take the same work."""
        from argon2.exceptions import VerificationError

        with self.database.read() as connection:
            known = connection.execute(sa.select(people.c.password).where(people.c.name == name)).scalar()
        try:
            _hasher().verify(known or _nobody(), password)
        except VerificationError:
            return None
        return self.new_token(name, days=SESSION_DAYS) if known else None

    def new_token(self, name: str, days: int | None = None, who: str | None = None) -> str:
        """Return a new secret for a person: a session that expires, or a token that does not, which `who` makes."""
        token = secrets.token_urlsafe(32)
        ends = (datetime.now(UTC) + timedelta(days=days)).isoformat(timespec="seconds") if days else None
        with self.database.write(CATALOGUE) as connection:
            if connection.execute(sa.select(people.c.name).where(people.c.name == name)).first() is None:
                raise NotFound(f"no account {name!r}", remedy="add the person first: bayesift user add")
            connection.execute(sessions.delete().where(sessions.c.ends < now()))
            connection.execute(sessions.insert(), {"digest": digest(token), "person": name, "ends": ends})
            if ends is None:  # to log in changes nothing
                journal.note(connection, "token-made", who, name=name)
        return token

    def log_out(self, token: str) -> None:
        """End a session or token."""
        with self.database.write(CATALOGUE) as connection:
            connection.execute(sessions.delete().where(sessions.c.digest == digest(token)))

    def find(self, token: str) -> Person | None:
        """Return the person of a session or token that has not ended."""
        query = sa.select(people.c.name, people.c.role).join(sessions, sessions.c.person == people.c.name)
        alive = sa.or_(sessions.c.ends.is_(None), sessions.c.ends >= now())
        with self.database.read() as connection:
            row = connection.execute(query.where(sessions.c.digest == digest(token), alive)).first()
        return None if row is None else Person(row.name, row.role)


def digest(token: str) -> bytes:
    """Return what is kept of a secret."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def now() -> str:
    """Return the time as the workspace writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _hasher() -> Any:
    from argon2 import PasswordHasher

    return PasswordHasher()


def _nobody() -> str:
    """Return the hash of a password that nobody has."""
    global _NOBODY
    _NOBODY = _NOBODY or _hasher().hash(secrets.token_urlsafe(32))
    return _NOBODY


_NOBODY = ""
