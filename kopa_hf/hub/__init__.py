"""Datasets: builders, loading, Parquet folders. Imports `datasets` only where it is used."""
