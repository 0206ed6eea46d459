"""Base classes for the tests of packs, see `st2tests.base`. `svc pack test` runs the tests."""
