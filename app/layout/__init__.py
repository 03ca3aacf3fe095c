"""Where vertices are drawn."""
