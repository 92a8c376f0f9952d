"""What must be true of the data of a business, whatever has happened: each rule one sentence and one query.

The query returns the rows of tenant $1 that break the rule.
"""
