"""Sweeps, contraction and last stages of the variants "fast" and "leiden"."""
