"""The cases: one test each, by file and name."""
