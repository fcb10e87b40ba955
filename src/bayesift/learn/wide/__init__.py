"""BOMC for very many labels: a sparse belief, negatives worth learning, and labels worth scoring."""
