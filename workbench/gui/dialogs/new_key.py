"""Makes a signing key of one's own: a name, a passphrase typed twice, and the key file that comes of it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from workbench import places
from workbench.errors import WorkbenchError
from workbench.gui.tasks import Task, Tasks
from workbench.gui.widgets.buttons import plain_button, primary_button
from workbench.gui.widgets.message import Message
from workbench.gui.widgets.text import Text
from workbench.progress import Progress
from workbench.report.keys import create_key
from workbench.report.passphrase import LEAST_CHARACTERS


class NewKeyDialog(QDialog):
    """Accepted once the key is on disk; `path` is its file."""

    def __init__(self, parent: QWidget, tasks: Tasks) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        self._tasks = tasks
        self.name, self.passphrase, self.again = QLineEdit(), QLineEdit(), QLineEdit()
        self.make, self.cancel = primary_button("&Create key"), plain_button("Cancel")
        self.trouble = Message("block")
        self._reason = Text("", "small_muted", wrap=True)
        self.setWindowTitle("New signing key")
        self.setAccessibleName("New signing key")
        self.setMinimumWidth(460)
        self._lay_out()
        for field in (self.name, self.passphrase, self.again):
            field.textChanged.connect(self._show_reason)
        self.make.clicked.connect(self._create)
        self.cancel.clicked.connect(self.reject)
        self._show_reason()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(Text("New signing key", "title"))
        column.addWidget(Text("The key shows who released. It stays on this computer, locked by the passphrase, which "
                              "nobody can recover.", "muted", wrap=True))  # fmt: skip
        form = QFormLayout()
        form.setSpacing(10)
        labels = {"Your &name": self.name, "&Passphrase": self.passphrase, "Passphrase a&gain": self.again}
        for label, field in labels.items():
            field.setAccessibleName(label.replace("&", ""))
            form.addRow(label, field)
        for secret in (self.passphrase, self.again):
            secret.setEchoMode(QLineEdit.EchoMode.Password)
        column.addLayout(form)
        column.addWidget(self.trouble)
        self.trouble.hide()
        foot = QHBoxLayout()
        foot.addWidget(self._reason, 1)
        foot.addWidget(self.cancel)
        foot.addWidget(self.make)
        column.addLayout(foot)
        self.make.setDefault(True)

    def _show_reason(self) -> None:
        reasons = (
            (not self.name.text().strip(), "Type your name."),
            (len(self.passphrase.text().strip()) < LEAST_CHARACTERS, f"At least {LEAST_CHARACTERS} characters; several "
             "words are easy to remember."),
            (self.passphrase.text() != self.again.text(), "Type the same passphrase twice."),
        )  # fmt: skip
        reason = next((sentence for is_missing, sentence in reasons if is_missing), "")
        self._reason.set_text(reason)
        self.make.setEnabled(not reason)
        self.make.setAccessibleDescription(reason)

    def _create(self) -> None:
        name, passphrase = self.name.text(), self.passphrase.text()
        self.make.setEnabled(False)

        def work(progress: Progress) -> Path | WorkbenchError:
            try:
                return create_key(name, passphrase, places.key_folder())
            except WorkbenchError as error:
                return error

        self._tasks.run(Task("Making the key", work, self._take, self))

    def _take(self, made: Path | WorkbenchError) -> None:
        self._show_reason()
        if isinstance(made, WorkbenchError):
            self.trouble.set_message("block", made.what, made.remedy)
            self.trouble.show()
        else:
            self.path = made
            self.accept()
