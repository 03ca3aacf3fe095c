"""Bokeh charts of a record."""
