"""Builds what is released: `make dist`. docs/releasing.md says how a release is made."""
