-- A part of a pair.
-- ==
-- error: unknown name .fst.*help: the parts of a pair are .p.0. and .p.1.
def main (p: (i32, i32)) = fst p
