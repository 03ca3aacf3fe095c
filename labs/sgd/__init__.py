"""Helpers of the lab on SGD and its schedules."""
