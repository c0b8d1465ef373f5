"""Tests of the routes, hostile clients and concurrent requests included."""
