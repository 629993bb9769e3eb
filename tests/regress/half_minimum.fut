-- LLVM takes the comparison and the select for a minimum, which for f16 is a call.
-- ==
-- input { [1i64] } output { 1f16 1f16 }
-- input { empty([0]i64) } output { f16.inf -f16.inf }
def main [n] (xs: [n]i64) : (f16, f16) =
  let y = f16.i64 (reduce i64.max 1 xs)
  in if n == 0
     then (f16.inf, -f16.inf)
     else ( f16.min 1f16 (reduce f16.max f16.lowest (replicate n y))
          , f16.max 1f16 (reduce f16.min f16.highest (replicate n y))
          )
