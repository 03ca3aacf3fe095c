"""The parts of every page, and the dashboard: the page of one family."""
