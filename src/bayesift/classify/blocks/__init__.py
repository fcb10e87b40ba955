"""Learning from more documents than memory holds: vectors on disk, in blocks, and passes over the blocks."""
