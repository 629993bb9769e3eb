-- A lambda that gives a definition back hands on its memory.
-- ==
-- error: `table` is a definition, which this would consume \[H3015\]
def table : []f32 = [0.5, 1.5]
def main (i: i64) = (\_ -> table) i with [0] = 2
