"""Reports: sums by day that the acts on orders keep, read for any range of days."""
