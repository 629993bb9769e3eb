-- The sign for exclusive or, meant as a power.
-- ==
-- error: help: .x [*][*] 2. is a power
def main (x: f32) = x ^ 2
