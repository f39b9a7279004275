"""The page of the operators: what runs, what is wrong, and a button that runs a job again."""
