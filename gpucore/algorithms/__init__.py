"""Kept while modules move."""
