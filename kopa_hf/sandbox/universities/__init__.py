"""Universities: some 400 invented ones, their majors and figures, as the national disclosure shows them."""
