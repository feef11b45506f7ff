"""Deciding conclusions on instances, and holding verdicts against standings."""
