"""The variants of the paper: both phases of a stage."""
