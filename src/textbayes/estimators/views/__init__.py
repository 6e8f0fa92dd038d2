"""Values that show a model: explanation, inspection, prediction. They print, and convert to JSON."""
