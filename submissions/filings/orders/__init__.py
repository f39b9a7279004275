"""Orders, waivers and conditions of the Board: entering and ending them, the findings they waive, ends."""
