"""Orders, waivers and conditions of the Board: entering and ending them, what they cover, what of them ends soon."""
