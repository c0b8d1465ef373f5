"""Tests of background work: jobs and the review worker."""
