"""A checkpoint to take away: its folder as a zip, which can be uploaded again."""

from model.checkpoint.catalogue import Entry, Untrained
from pages.shared.text.words import words
from pages.shared.ui import files
from pages.shared.ui.files import File


def download(entry: Entry) -> None:
    """The link for it; random weights are not worth one."""
    if isinstance(entry, Untrained):
        return
    label, name = words("upload.download"), f"{entry.name}.zip"
    files.links([File(f"download_{entry.name}", label, name, "application/zip", lambda: packed(entry))])


def packed(entry: Entry) -> bytes:
    """The zip, made when it is asked for."""
    from model.upload import check as upload_check

    return upload_check.pack(entry)
