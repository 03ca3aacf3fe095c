"""What a watched launch may touch: arguments, allocations of a program, variables of the device."""
