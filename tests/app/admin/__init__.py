"""Tests of `pagetrail.app.admin`."""
