"""Compare a release with other datasets: find equal and similar rows, and count them per split."""
