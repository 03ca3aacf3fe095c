"""A graph and a run as pages show them: laid out, packed for the player, certified."""
