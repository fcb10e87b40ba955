"""Plain, slow implementations that the fast ones are compared with."""
