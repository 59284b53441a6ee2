"""Finance: companies, filings, prices."""
