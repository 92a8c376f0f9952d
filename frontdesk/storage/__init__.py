"""Objects in S3-compatible storage."""
