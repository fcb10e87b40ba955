"""The two kinds of profiles that a topic may have: terms and weights, or a Gaussian process."""

from __future__ import annotations

from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.profile import Profile

TopicProfile = Profile | GPProfile
