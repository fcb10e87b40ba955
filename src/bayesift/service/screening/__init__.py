"""The pages of a review: screening made for the keyboard, progress, conflicts, duplicates, files and settings.

They share access, people, limits, templates, style and keys with the pages of a filter. `create_app` shows them if the
workspace is a review.
"""

from bayesift.service.screening.site import screening_site

__all__ = ["screening_site"]
