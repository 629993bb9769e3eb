-- A definition with size parameters and no others is made at each use, so its value is fresh.
-- ==
-- input { 3i64 } output { [0i64, 1i64, 2i64] [7i64, 1i64, 2i64] }
def ii [n] : [n]i64 = 0..1..<n
def fresh n : *[n]i64 = ii
entry main (n: i64) = let a = fresh n in (a, (ii : [n]i64) with [0] = 7)
