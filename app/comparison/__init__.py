"""The page on which runs of one family play side by side."""
