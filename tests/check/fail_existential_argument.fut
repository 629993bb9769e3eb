-- The result of the argument has a size of its own, not the one that is asked for.
-- ==
-- error: argument 1 of `apply` has type
def apply (f: [3]i32 -> [3]i32) : [3]i32 = f [1, 2, 3]

def main = apply (filter (> 0))
