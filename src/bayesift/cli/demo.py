"""`bayesift demo`."""


def demo() -> None:
    """Show the main job on data that is already on this machine."""
