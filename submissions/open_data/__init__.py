"""What is public in the portal as tables: the register, what is in effect, its wagers and paytables."""
