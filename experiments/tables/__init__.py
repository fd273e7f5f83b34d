"""Ten tables, fixed splits, many methods: who predicts whole distributions best, and how fast."""
