"""SVG plots of experiments."""
