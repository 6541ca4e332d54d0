"""Check the first line of a commit message: `area: imperative, concrete noun`.

``python3 tests/project/commit_subject.py FILE`` checks the message in a file, as a git hook does.
"""

import re
import sys
from pathlib import Path

MOST_CHARACTERS = 65
_SHAPE = re.compile(r"[a-z][\w.,/ -]*: \S.*[^.\s]")
_VAGUE = re.compile(
    r": (say|tell|let|name|ask|keep) (of|what|who|that|how|where|it)\b", re.IGNORECASE
)


def fault(subject: str) -> str | None:
    """Return what is wrong with a subject, or None if it is well."""
    if len(subject) > MOST_CHARACTERS:
        return f"{len(subject)} characters; use at most {MOST_CHARACTERS}"
    if not _SHAPE.fullmatch(subject):
        return "write `area: imperative, concrete noun`, without a full stop"
    if _VAGUE.search(subject):
        return "name the thing that changes after the verb"
    return None


def main() -> int:
    subject = Path(sys.argv[1]).read_text(encoding="utf-8").partition("\n")[0]
    if subject.startswith(("Merge ", "Revert ", "fixup! ", "squash! ")):
        return 0
    problem = fault(subject)
    if problem is not None:
        print(f"commit subject: {problem}: {subject}", file=sys.stderr)
    return 0 if problem is None else 1


if __name__ == "__main__":
    sys.exit(main())
