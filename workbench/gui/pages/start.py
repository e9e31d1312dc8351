"""The start page: drop a spreadsheet, open a recent project, or rehearse with a sample."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from workbench.data.findings import Stage
from workbench.gui import theme
from workbench.gui.models.recent import RecentPlan, read_recent, when
from workbench.gui.models.samples import Sample, samples
from workbench.gui.session import Session
from workbench.gui.settings import RECENT, SHOW_TOUR
from workbench.gui.tasks import Task
from workbench.gui.widgets.buttons import Button, plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.drop_area import DropArea
from workbench.gui.widgets.empty import EmptyState
from workbench.gui.widgets.fields import SearchField
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.plain_table import Cell, TextModel
from workbench.gui.widgets.scroll import DownwardScroll
from workbench.gui.widgets.tables import Rows, TableView
from workbench.gui.widgets.text import IconLabel, Text, line
