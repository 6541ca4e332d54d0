"""Pages of a table: connections, seats, messages, and what each page may see and do.

May import: world, table, players, hand.control, board, air, panel, training, story; firmware,
drivers, game.
Begin with ``pages_table``, which handles the messages of pages, and ``answers`` with their routes.
``seats`` says who plays, ``live_match`` and ``director`` what is shown.
Folders and files that reveal hidden dice are made here: only their owner may read them.
All messages are in ``incoming`` and ``outgoing``.
"""

from pathlib import Path

OWNER_ONLY = 0o700
"""The mode of a folder that its owner alone may read (POSIX)."""


def make_private_folder(folder: Path) -> None:
    """Make a folder, if need be, that its owner alone may enter.

    Raises:
        OSError: that cannot be done.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=OWNER_ONLY)
    folder.chmod(OWNER_ONLY)


def replace_file(path: Path, text: str) -> None:
    """Write a file as a whole, or leave the one that is there.

    Raises:
        OSError: it cannot be written.
    """
    draft = path.with_suffix(".new")
    try:
        draft.touch(mode=0o600)
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
