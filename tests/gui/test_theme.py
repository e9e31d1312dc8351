"""Both themes can be read by everyone, and the icons and style sheet follow them."""

from __future__ import annotations

import itertools
import re
from collections import Counter

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFont, QIcon, QImage
from PySide6.QtWidgets import QApplication, QPushButton

from workbench import assets
from workbench.gui import icons, theme
from workbench.gui.theme import DARK, LIGHT, Tokens

THEMES = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])

SURFACES = ("window", "panel", "head", "alternate", "selection", "soft")
WORDS = ("text", "muted")
TONES = ("ok", "warn", "block", "stale")


@THEMES
@pytest.mark.parametrize(("word", "surface"), list(itertools.product(WORDS, SURFACES)))
def test_text_stands_out_from_every_surface(colours: Tokens, word: str, surface: str) -> None:
    assert theme.contrast(getattr(colours, word), getattr(colours, surface)) >= 4.5


@THEMES
@pytest.mark.parametrize("tone", TONES)
def test_state_words_can_be_read_where_they_stand(colours: Tokens, tone: str) -> None:
    grounds = ("window", "panel", "selection", f"{tone}_soft")
    assert all(theme.contrast(getattr(colours, tone), getattr(colours, ground)) >= 4.5 for ground in grounds)


@THEMES
def test_text_in_message_boxes_and_on_buttons_can_be_read(colours: Tokens) -> None:
    pairs = [(colours.text, getattr(colours, f"{tone}_soft")) for tone in TONES]
    pairs += [(colours.on_accent, colours.accent), (colours.accent, colours.panel), (colours.accent, colours.soft)]
    assert all(theme.contrast(ink, ground) >= 4.5 for ink, ground in pairs)


@THEMES
@pytest.mark.parametrize("mark", ["control_border", "accent"])
@pytest.mark.parametrize("surface", ["window", "panel"])
def test_edges_and_focus_rings_can_be_seen(colours: Tokens, mark: str, surface: str) -> None:
    assert theme.contrast(getattr(colours, mark), getattr(colours, surface)) >= 3


@THEMES
def test_chart_lines_can_be_seen_on_their_ground(colours: Tokens) -> None:
    assert len(colours.series) == 6
    assert all(theme.contrast(line, colours.panel) >= 3 for line in colours.series)


def test_contrast_is_the_wcag_ratio() -> None:
    assert theme.contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert theme.contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_style_sheet_uses_only_colours_of_the_theme(app: QApplication, mode: theme.Mode) -> None:
    theme.apply(app, mode)
    known = {getattr(theme.tokens(), role) for role in Tokens.__dataclass_fields__ if role not in ("name", "series")}
    assert set(re.findall(r"#[0-9A-Fa-f]{6}", app.styleSheet())) <= known
    assert "$" not in app.styleSheet()


def test_a_button_is_painted_in_the_colours_of_the_theme_shown(app: QApplication) -> None:
    button = QPushButton()
    button.resize(80, 30)
    seen = {}
    for mode in ("light", "dark"):
        theme.apply(app, mode)
        seen[mode] = button.grab().toImage().pixelColor(40, 15)
    assert seen == {"light": QColor(LIGHT.panel), "dark": QColor(DARK.panel)}


def test_text_size_scales_every_kind_of_text(app: QApplication) -> None:
    theme.apply(app, "light", 13)
    usual = {kind: theme.font(kind).pointSizeF() for kind in theme.TYPES}
    theme.apply(app, "light", 26)
    assert all(theme.font(kind).pointSizeF() == pytest.approx(2 * usual[kind], abs=0.02) for kind in usual)


def test_figures_have_equal_width(app: QApplication) -> None:
    assert theme.font("table").isFeatureSet(QFont.Tag("tnum"))


def test_those_who_draw_for_themselves_hear_of_a_new_theme(app: QApplication, qtbot) -> None:
    with qtbot.waitSignal(theme.current.changed):
        theme.apply(app, "dark")


def test_charts_get_the_colours_of_the_theme_shown(app: QApplication) -> None:
    theme.apply(app, "dark")
    assert theme.chart_colours()["ground"] == DARK.panel
    assert theme.chart_colours()["series"] == DARK.series


def _ink(icon: QIcon, mode: QIcon.Mode = QIcon.Mode.Normal) -> str:
    """The colour most of the opaque pixels have; blending may be off by one at the edges."""
    image = icon.pixmap(QSize(48, 48), 1.0, mode).toImage().convertToFormat(QImage.Format.Format_ARGB32)
    pixels = (image.pixelColor(x, y) for x in range(48) for y in range(48))
    return Counter(pixel.name().upper() for pixel in pixels if pixel.alpha() == 255).most_common(1)[0][0]


@pytest.mark.parametrize("name", icons.names())
def test_every_icon_is_drawn_in_the_colour_of_its_token(app: QApplication, name: str) -> None:
    assert _ink(icons.icon(name, "accent")) == LIGHT.accent


def test_an_icon_follows_the_theme_and_dims_when_disabled(app: QApplication) -> None:
    shown = icons.icon("seal", "block")
    assert _ink(shown) == LIGHT.block
    theme.apply(app, "dark")
    assert _ink(shown) == DARK.block
    assert _ink(shown, QIcon.Mode.Disabled) == DARK.control_border


def test_an_icon_can_be_copied_and_changed(app: QApplication) -> None:
    copy = QIcon(icons.icon("seal"))
    copy.addPixmap(icons.icon("lock").pixmap(8, 8))
    assert not copy.pixmap(16, 16).isNull()


@THEMES
def test_glyphs_of_the_controls_wear_the_colours_of_their_theme(colours: Tokens) -> None:
    allowed = {colours.text, colours.muted, colours.accent, colours.on_accent, colours.control_border}
    folder = assets.resource("style", colours.name)
    drawings = [file.read_text(encoding="utf-8") for file in folder.iterdir()]
    assert drawings
    assert all(set(re.findall(r"#[0-9A-F]{6}", drawing)) <= allowed for drawing in drawings)


def test_every_glyph_the_style_sheet_names_is_there(app: QApplication) -> None:
    names = re.findall(r"url\(style:(\w+)/([\w-]+\.svg)\)", app.styleSheet())
    assert names
    assert all(assets.resource("style", folder, name).is_file() for folder, name in names)
