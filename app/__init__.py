"""Warplens's dashboards: pages served by Voila that play records in the browser."""
