"""Finding submissions: what is looked for (`filters`), and what is found (`found`); versions in public (`versions`)."""
