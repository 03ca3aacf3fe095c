"""The server: pages, assets, page processes and their limits."""
