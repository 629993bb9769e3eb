-- A function that comes back may read a definition, and give back what it makes of it.
-- ==
-- input { 1i64 } output { 2i64 [11i64,12i64,13i64] [1i64,2i64,3i64] }
def table : []i64 = [1, 2, 3]

def at (k: i64) = \i -> table[i * k]

def moved (k: i64) = \d -> map (+ d * k) table

def same (k: i64) = \(_: i64) -> copy table[k - k:]

def main (k: i64) = (at k 1, moved k 10, same k 0)
