"""Replays as static pages: they play without a server, without Python and without a network.

``replays`` computes once what a page shows of a record. ``page`` writes one page, with everything
in one file or with the files that all pages of a folder share. ``folder`` writes such a folder, and
``command`` holds ``warplens page`` and ``warplens site``.
"""
