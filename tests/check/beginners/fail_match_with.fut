-- The word that OCaml has in front of cases.
-- ==
-- error: help: each case begins with .case.
def main (x: i32) = match x with 0 -> 1
