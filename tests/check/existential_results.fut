-- Results that forget a size which is the argument: declared, behind `let`, of a pair's part.
-- ==
-- input { [1i64, 2i64] }
-- output { [[0i32, 0i32, 0i32], [1i32, 1i32, 1i32], [2i32, 2i32, 2i32], [3i32, 3i32, 3i32],
--           [4i32, 4i32, 4i32], [5i32, 5i32, 5i32]] }
def fill (x: i32) (n: i64) : []i32 = replicate n x
def behind (n: i64) = let m = n in replicate m 5i32

def main [k] (ns: [k]i64) =
  let kept (n: i64): []i32 = replicate n 2
  let parts =
    [ (flatmap' (\n : []i32 -> replicate n 0) ns).3 :> [3]i32
    , (flatmap' (fill 1) ns).3 :> [3]i32
    , (flatmap' kept ns).3 :> [3]i32
    , (flatmap' (\n -> fill 3 n) ns).3 :> [3]i32
    , (flatmap' (\(n, x) -> replicate n x) (map (\n -> (n, 4)) ns)).3 :> [3]i32
    , (flatmap' behind ns).3 :> [3]i32
    ]
  in parts
