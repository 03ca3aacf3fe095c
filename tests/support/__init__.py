"""Helpers and fixtures that the tests of several folders share."""
