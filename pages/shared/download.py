"""A checkpoint to take away: its folder as a zip, which can be uploaded again."""

from model.catalogue import Entry, Untrained
from pages.shared import files
from pages.shared.files import File
from pages.shared.words import words


def download(entry: Entry) -> None:
    """The link for it; random weights are not worth one."""
    if isinstance(entry, Untrained):
        return
    label, name = words("upload.download"), f"{entry.name}.zip"
    files.links([File(f"download_{entry.name}", label, name, "application/zip", lambda: packed(entry))])


def packed(entry: Entry) -> bytes:
    """The zip, made when it is asked for."""
    from model import exchange

    return exchange.pack(entry)
