"""The published interface as tables of data, and what it takes to drive each of their rows over HTTP."""
