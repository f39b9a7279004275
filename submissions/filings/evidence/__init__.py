"""Exact figures and simulations of a filing, replayed rounds, errata reports and charts."""
