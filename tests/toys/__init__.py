"""Two tiny games outside the package: what core gives to any game, it must give to these."""
