"""Stories: guided walks through a record, and questions about it.

A story is a file with stops: a step of a run, a caption, what to look at, speaker notes, and
sometimes a question. This package names no family: a family keeps its stories in its folder
``stories`` and declares its questions beside its pages (:class:`app.pages.FamilyPages`).
"""
