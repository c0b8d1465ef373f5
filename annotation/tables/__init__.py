"""Tables as grids of cells: reading, writing, editing and comparing them."""
