"""What the tests of packs derive from; see `st2tests.base`. `svc pack test` runs them."""
