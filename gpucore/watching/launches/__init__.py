"""Launches under one schedule after another, and what they show."""
