"""Pages. A view fetches through `visible_to`, calls one action, renders."""
