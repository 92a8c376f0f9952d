"""Builds what is released: `make dist` and `make deb`. docs/releasing.md says how a release is made."""
