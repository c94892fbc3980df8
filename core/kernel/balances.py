"""Balances: numbers on a row that only the entries of a ledger change."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import models
from django.db.models import CheckConstraint, Q
from django.utils.translation import gettext as _

from core.kernel.errors import Conflict, Invalid, Missing
from core.kernel.texts import camel


@dataclass(frozen=True)
class Balance:
    """The balance that an entry changes; the model of a ledger declares it as `balance`."""

    head: str
    """The entry's foreign key to the row that has the balance."""
    column: str
    """The column of that row."""
    adds: tuple[Any, ...]
    """Values of `kind` whose quantity is added to the balance."""
    takes: tuple[Any, ...]
    """Values of `kind` whose quantity is taken from it. That of any other kind, a correction, has a sign of its own."""
    kind: str = "kind"
    quantity: str = "quantity"
    """The entry's columns of kind and quantity."""
    after: str = ""
    """The entry's column that keeps the balance after it."""
    least: int = 0
    """The balance never falls below this."""

    def amount(self, entry: Any) -> Any:
        """Return what the entry adds to the balance, below zero where it takes away.

        Raises Invalid for a quantity that moves nothing, or that moves the other way than the kind says.
        """
        kind, quantity = getattr(entry, self.kind), getattr(entry, self.quantity)
        is_correction = kind not in (*self.adds, *self.takes)
        if quantity == 0 or (quantity < 0 and not is_correction):
            column: Any = entry._meta.get_field(self.quantity)
            text = _("{field}不能为0") if is_correction else _("{field}须大于0")
            raise Invalid({camel(self.quantity): text.format(field=column.verbose_name)})
        return -quantity if kind in self.takes else quantity


def never_below(column: str, least: int = 0, *, name: str) -> CheckConstraint:
    """Return the constraint by which the database keeps a balance from falling below its least."""
    return CheckConstraint(condition=Q(**{f"{column}__gte": least}), name=name)


def post_entry(entry: Any) -> None:
    """Store a new entry and change its balance, inside the caller's transaction.

    Raises Invalid for a quantity that moves nothing, Missing where the head is gone, and Conflict `ledger.tooLow` where
    the balance does not suffice.
    """
    balance: Balance = entry.balance
    amount = balance.amount(entry)
    heads = entry._meta.get_field(balance.head).related_model._default_manager
    # On SQLite the transaction has the only write lock already.
    head = heads.select_for_update().filter(pk=getattr(entry, f"{balance.head}_id")).first()
    if head is None:
        raise Missing()
    before = getattr(head, balance.column)
    after = before + amount
    if after < balance.least:
        raise _too_low(head, balance, before, before - after)
    heads.filter(pk=head.pk).update(**{balance.column: after})
    if balance.after:
        setattr(entry, balance.after, after)
    entry.save(force_insert=True)


def _too_low(head: models.Model, balance: Balance, before: Any, taken: Any) -> Conflict:
    column: Any = head._meta.get_field(balance.column)
    text = _("「{name}」的{column}只有{n}，不够扣减{amount}")
    text = text.format(name=head, column=column.verbose_name, n=_plain(before), amount=_plain(taken))
    return Conflict("ledger.tooLow", text, {"balance": _plain(before)})


def _plain(number: Any) -> str:
    """Return the number without the zeros at its end: 3.000 is 3."""
    return f"{Decimal(number):f}".rstrip("0").rstrip(".") if "." in f"{Decimal(number):f}" else f"{Decimal(number):f}"
