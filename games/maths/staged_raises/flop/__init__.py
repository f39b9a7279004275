"""Three own cards and two of three community cards that turn up together: one raise or a fold before them."""
