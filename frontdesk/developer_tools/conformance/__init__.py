"""`frontdesk conformance`: scenarios against the program of an integrator, and what came of them."""
