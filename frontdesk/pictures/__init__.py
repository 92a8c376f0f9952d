"""Pictures that a business uploads."""
