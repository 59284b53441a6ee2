"""Tool signatures: data, loading, exports."""
