-- The width of a map two levels down that the outermost level computes: the gpu took it for known
-- outside of the nest.
-- ==
-- input { 0i64 empty([0][0]f16) } output { empty([0]u16) }
-- input { 5i64 [[1f16, 2f16, 3f16]] } output { [1u16] }
def main [n] [m] (k: i64) (zs: [m][n]f16) =
  map (\one ->
         let width = (let ones = replicate n 1i64 in if n > 0 then ones[1 % n] else k) % 3
         let _unused =
           tabulate_2d 1 width (\w v -> let ones = replicate n 1i64 in length (ones[1:w + v + 1:1]))
         in one)
      (replicate m 1u16)
