"""Statutes: laws and their editions, rules, ordinances, cases, opinions, treaties, terms."""
