"""Numbers as the officer types and reads them, as exact decimal text inside."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from PySide6.QtCore import QLocale


def typed(text: str) -> str | None:
    """The exact decimal text of what was typed in the officer's locale, or None when it is no number."""
    locale = QLocale()
    compact = text.strip().replace("\N{MINUS SIGN}", "-").replace(" ", "").replace("\N{NO-BREAK SPACE}", "")
    ungrouped = _without_groups(compact, locale.groupSeparator(), locale.decimalPoint())
    plain = ungrouped.replace(locale.decimalPoint(), ".")
    try:
        number = Decimal(plain)
    except InvalidOperation:
        return None
    return f"{number:f}" if number.is_finite() and not set("eE_") & set(plain) else None


def _without_groups(text: str, separator: str, point: str) -> str:
    """Separators are dropped only where they truly part thousands: "1.5" stays one and a half everywhere."""
    whole, *rest = text.split(point, 1)
    first, *groups = whole.lstrip("+-").split(separator)
    if not groups or not 1 <= len(first) <= 3 or any(len(group) != 3 for group in groups):
        return text
    return point.join([whole.replace(separator, ""), *rest])


def shown(exact: str) -> str:
    """Exact decimal text with the locale's thousands and decimal point; what is no number is shown as it is."""
    sign, digits = ("-", exact[1:]) if exact.startswith("-") else ("", exact)
    whole, point, part = digits.partition(".")
    if not whole.isdigit():
        return exact
    locale = QLocale()
    return f"{sign}{_grouped(whole, locale.groupSeparator())}{locale.decimalPoint() if point else ''}{part}"


def _grouped(whole: str, separator: str) -> str:
    return f"{int(whole):,}".replace(",", separator) if len(whole) > 3 and not whole.startswith("0") else whole


def stepped(exact: str, step: str, times: int) -> str:
    """The number so many steps further, with as many places as the finer of the two."""
    return f"{Decimal(exact) + Decimal(step) * times:f}"
