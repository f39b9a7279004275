"""Finding submissions: what is looked for (`filters`), what is found (`results`), what is taken away (`exports`)."""
