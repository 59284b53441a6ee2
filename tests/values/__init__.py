"""Tests of the value grammars."""
