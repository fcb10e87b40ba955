"""The `bayesift` command: one file a verb, each importing what it needs when it runs."""
