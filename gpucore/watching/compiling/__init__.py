"""The executor as a file to link with, and libraries of kernels and programs."""
