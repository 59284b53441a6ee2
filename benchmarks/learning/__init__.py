"""Parts of `benchmarks/learning_curve.py`."""
