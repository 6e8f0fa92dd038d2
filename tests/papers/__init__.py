"""An equation or a table per test, with its citation."""
