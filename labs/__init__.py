"""Notebooks that teach; they are package data and are executed by the tests."""
