"""Exact figures and simulations of a filing, replayed rounds and charts."""
