"""The parts of the loader: from TOML tables to the records of `model`, strictly."""
