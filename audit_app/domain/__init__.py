"""Values of the field: benchmarks, samples, reviews, rubrics, estimates. Pure, immutable."""
