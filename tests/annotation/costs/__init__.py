"""Tests of prices and pay."""
