"""Agencies of data.go.kr whose operations belong to a platform's domain without being the platform's own.

Their answers mostly follow from their signatures; what stands here is what makes them join:
the things that their codes name, and the few operations that turn one code into another.
"""
