"""The look of the window: colours as tokens, fonts, and the one style sheet made from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from string import Template
from types import MappingProxyType
from typing import Literal

from PySide6.QtCore import QDir, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from workbench import assets

Mode = Literal["light", "dark", "system"]

BODY_SIZE = 13
"""Body text in pixels at 100 %; every other size keeps its proportion to it."""

NARROW_WINDOW = 1366
"""Below this window width the side panels take their narrow form."""


@dataclass(frozen=True)
class Tokens:
    """Every colour of one theme, by what it is used for."""

    name: str
    window: str
    panel: str
    head: str
    alternate: str
    text: str
    muted: str
    border: str
    control_border: str
    accent: str
    on_accent: str
    selection: str
    soft: str
    ok: str
    ok_soft: str
    warn: str
    warn_soft: str
    block: str
    block_soft: str
    stale: str
    stale_soft: str
    grid: str
    series: tuple[str, ...]

    def color(self, role: str) -> QColor:
        """By name; the series are series_1 to series_6."""
        if role.startswith("series_"):
            return QColor(self.series[int(role.removeprefix("series_")) - 1])
        return QColor(getattr(self, role))


LIGHT = Tokens(
    name="light",
    window="#F3F5F7",
    panel="#FFFFFF",
    head="#E9EDF1",
    alternate="#F8FAFB",
    text="#1B2733",
    muted="#52606D",
    border="#C9D1D9",
    control_border="#808D9B",
    accent="#12436D",
    on_accent="#FFFFFF",
    selection="#D3E3F1",
    soft="#E3EDF6",
    ok="#1B6E3C",
    ok_soft="#E6F3EA",
    warn="#8A4B00",
    warn_soft="#FDF1E3",
    block="#A3122A",
    block_soft="#FBE9EB",
    stale="#5B4A8A",
    stale_soft="#EEEAF6",
    grid="#E3E8ED",
    series=("#12436D", "#28A197", "#801650", "#F46A25", "#3D3D3D", "#A285D1"),
)

DARK = Tokens(
    name="dark",
    window="#14191F",
    panel="#1C232B",
    head="#262F39",
    alternate="#20282F",
    text="#E6EBF0",
    muted="#A6B2BE",
    border="#36424F",
    control_border="#6B7B8C",
    accent="#7DB8E8",
    on_accent="#0D1B28",
    selection="#214160",
    soft="#1E3347",
    ok="#6FCF97",
    ok_soft="#1C3327",
    warn="#F2B36B",
    warn_soft="#3A2C1B",
    block="#FF9494",
    block_soft="#43242A",
    stale="#B9A1E3",
    stale_soft="#2D2740",
    grid="#2E3843",
    series=("#7DB8E8", "#3FC1B5", "#E58BC0", "#FF9357", "#C7CDD3", "#B9A1E3"),
)


@dataclass(frozen=True)
class Type:
    """One kind of text: its size in pixels at 100 % and its weight."""

    size: float
    weight: QFont.Weight = QFont.Weight.Normal
    fixed_pitch: bool = False


TYPES: Mapping[str, Type] = MappingProxyType(
    {
        "hero": Type(26, QFont.Weight.DemiBold),
        "title": Type(20, QFont.Weight.DemiBold),
        "figure": Type(22, QFont.Weight.DemiBold),
        "lead": Type(15),
        "card": Type(14, QFont.Weight.DemiBold),
        "body": Type(13),
        "bold": Type(13, QFont.Weight.DemiBold),
        "table": Type(12.5),
        "table_bold": Type(12.5, QFont.Weight.DemiBold),
        "small": Type(12),
        "small_bold": Type(12, QFont.Weight.DemiBold),
        "tiny": Type(11.5),
        "tiny_bold": Type(11.5, QFont.Weight.DemiBold),
        "mono": Type(11.5, fixed_pitch=True),
    }
)


class _Theme(QObject):
    """What is shown now; it tells those who draw for themselves when that changes."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.tokens = LIGHT
        self.mode: Mode = "light"
        self.font_size = BODY_SIZE
        self.follows_system = False

    def take_system_colours(self) -> None:
        application = QApplication.instance()
        if self.mode == "system" and isinstance(application, QApplication):
            _show(application)


current = _Theme()


def tokens() -> Tokens:
    """The colours shown now."""
    return current.tokens


def color(role: str) -> QColor:
    return current.tokens.color(role)


def apply(app: QApplication, mode: Mode = "system", font_size: int = BODY_SIZE) -> None:
    """Dress the whole program; may be called again at any time to change theme or text size."""
    current.mode = mode
    current.font_size = font_size
    hints = app.styleHints()
    if not current.follows_system:
        app.setStyle("Fusion")
        QDir.setSearchPaths("style", [str(assets.resource("style"))])
        hints.colorSchemeChanged.connect(current.take_system_colours)
        current.follows_system = True
    hints.setColorScheme(_SCHEMES[mode])
    _show(app)


_SCHEMES: Mapping[Mode, Qt.ColorScheme] = MappingProxyType(
    {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark, "system": Qt.ColorScheme.Unknown}
)


def _show(app: QApplication) -> None:
    is_dark = current.mode == "dark" or (
        current.mode == "system" and app.styleHints().colorScheme() == Qt.ColorScheme.Dark
    )
    current.tokens = DARK if is_dark else LIGHT
    app.setFont(font("body"))
    app.setPalette(palette(current.tokens))
    app.setStyleSheet(style_sheet(current.tokens))
    current.changed.emit()


def font(kind: str) -> QFont:
    """The font of one kind of text, with figures of equal width."""
    style = TYPES[kind]
    made = QFont()
    made.setFamilies(_families(style.fixed_pitch))
    made.setPointSizeF(points(style.size))
    made.setWeight(style.weight)
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


def points(size: float) -> float:
    """A size given in pixels at 100 %, in points of this screen and at the officer's text size."""
    screen = QGuiApplication.primaryScreen()
    resolution = screen.logicalDotsPerInch() if screen else 96.0
    return round(size * current.font_size / BODY_SIZE * 72 / resolution, 2)


def scaled(pixels: float) -> int:
    """A length that grows with the officer's text size."""
    return round(pixels * current.font_size / BODY_SIZE)


_NO_DESKTOP_FONT = frozenset({"", "Sans", "Sans Serif", "sans-serif", "Helvetica", "Bitstream Vera Sans"})
"""What Qt answers when no desktop has chosen a font; then Open Sans is the better reading."""

_FALLBACKS = ("Open Sans", "Noto Sans", "Liberation Sans", "Arial", "DejaVu Sans")


def _families(fixed_pitch: bool) -> list[str]:
    if fixed_pitch:
        system = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
        return [name for name in (system, "Consolas", "Liberation Mono", "Courier New") if name.lower() != "monospace"]
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
    chosen = () if system in _NO_DESKTOP_FONT else (system,)
    return [*chosen, *_FALLBACKS]


_PALETTE_ROLES: Mapping[QPalette.ColorRole, str] = MappingProxyType(
    {
        QPalette.ColorRole.Window: "window",
        QPalette.ColorRole.WindowText: "text",
        QPalette.ColorRole.Base: "panel",
        QPalette.ColorRole.AlternateBase: "alternate",
        QPalette.ColorRole.Text: "text",
        QPalette.ColorRole.PlaceholderText: "muted",
        QPalette.ColorRole.Button: "panel",
        QPalette.ColorRole.ButtonText: "text",
        QPalette.ColorRole.BrightText: "block",
        QPalette.ColorRole.ToolTipBase: "panel",
        QPalette.ColorRole.ToolTipText: "text",
        QPalette.ColorRole.Highlight: "selection",
        QPalette.ColorRole.HighlightedText: "text",
        QPalette.ColorRole.Accent: "accent",
        QPalette.ColorRole.Link: "accent",
        QPalette.ColorRole.LinkVisited: "stale",
        QPalette.ColorRole.Light: "panel",
        QPalette.ColorRole.Midlight: "head",
        QPalette.ColorRole.Mid: "border",
        QPalette.ColorRole.Dark: "control_border",
        QPalette.ColorRole.Shadow: "control_border",
    }
)

_DIMMED_ROLES = (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText)


def palette(colours: Tokens) -> QPalette:
    made = QPalette()
    for role, token in _PALETTE_ROLES.items():
        made.setColor(role, colours.color(token))
    for role in _DIMMED_ROLES:
        made.setColor(QPalette.ColorGroup.Disabled, role, colours.color("control_border"))
    return made


def style_sheet(colours: Tokens) -> str:
    values = {field.name: getattr(colours, field.name) for field in fields(colours) if field.name != "series"}
    sizes = {f"{kind}_size": f"{points(style.size)}pt" for kind, style in TYPES.items()}
    mono = {"mono_family": ", ".join(f'"{name}"' for name in _families(fixed_pitch=True))}
    return Template(assets.text("style", "workbench.qss")).substitute(values | sizes | mono)


def mark(widget: QWidget, name: str, value: str | bool) -> None:
    """Set a property the style sheet looks at, and let it look again."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


def chart_colours() -> dict[str, str | tuple[str, ...]]:
    """The colours a matplotlib figure needs, by the part of the chart."""
    shown = current.tokens
    return {
        "ground": shown.panel,
        "text": shown.text,
        "muted": shown.muted,
        "axis": shown.control_border,
        "grid": shown.grid,
        "accent": shown.accent,
        "ok": shown.ok,
        "warn": shown.warn,
        "block": shown.block,
        "rehearsal": shown.stale,
        "series": shown.series,
    }


def chart_fonts() -> list[str]:
    """Font families for matplotlib, the window's own first, only those this machine has."""
    present = set(QFontDatabase.families())
    return [name for name in _families(fixed_pitch=False) if name in present] + ["DejaVu Sans"]


def contrast(first: str, second: str) -> float:
    """The WCAG contrast ratio of two colours, from 1 to 21."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    shown = QColor(colour)
    return 0.2126 * _linear(shown.redF()) + 0.7152 * _linear(shown.greenF()) + 0.0722 * _linear(shown.blueF())


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
