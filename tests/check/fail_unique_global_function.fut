-- The function that comes back would give away the memory of a definition.
-- ==
-- error: the result of this function may share the memory of the definition `table`
def table : []i64 = [1, 2, 3]

def f (_: i64) = \(_: i64) -> table

def main (n: i64) = f n n with [0] = 0
