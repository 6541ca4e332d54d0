"""The lessons of a first match: a title and a few words for the panel."""

from enum import Enum

LessonText = Enum("LessonText", "SHAKE PEEK SAY PASS DOUBT MAEXCHEN THROW SHOW ASIDE SEVENS TAKES")
"""One thing to learn; a tap goes on, a hold ends the lessons."""
