"""Artefacts: builders make data and a view of a result, renderers draw the view (spec 5)."""
