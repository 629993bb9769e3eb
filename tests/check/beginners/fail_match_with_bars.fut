-- Cases as OCaml writes them.
-- ==
-- error: help: each case begins with .case.
def main (x: i32) = match x case 0 -> 1 | _ -> 2
