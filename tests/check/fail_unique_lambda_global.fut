-- A lambda that gives a definition back hands on its memory.
-- ==
-- error: the result of this function may share the memory of the definition `table` \[H3022\]
def table : []f32 = [0.5, 1.5]
def main (i: i64) = (\_ -> table) i with [0] = 2
