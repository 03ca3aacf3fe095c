"""File formats: text and archives that hold graphs and matrices."""
