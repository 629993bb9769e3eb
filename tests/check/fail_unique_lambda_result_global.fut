-- A row of a definition that a lambda gives back is not copied.
-- ==
-- error: the result of this function may share the memory of the definition `table` \[H3022\]
def table : [][]i64 = [[1, 2], [3, 4]]
def main (n: i64) = map (\i -> table[i]) (iota n)
