"""Two own cards, three community cards turned one by one, a raise or a fold before each of these."""
