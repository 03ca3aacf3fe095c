"""The page of one family: choose, run, play."""
