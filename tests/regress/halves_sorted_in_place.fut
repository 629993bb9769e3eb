-- Each cell sorts halves in an array of its own. With AVX512-FP16, LLVM 19 moved a load of the second half in front of
-- the store of the first; optimised code alone was wrong.
-- ==
-- input { 3i64 [1.5f16, -2f16] [5.5f16, 6f16] } output { [-4.5f16, -8f16, -4f16] }
-- input { 70i64 [1.5f16, -2f16] [5.5f16, 6f16] }
def main [m] (n: i64) (ys: [m]f16) (ws: [m]f16) =
  map (\i ->
         let r = map (\j -> ys[i % m] - ws[j % m]) (iota 4)
         in (loop r = copy r
             for a < 3 do
               (loop (s, b) = (r, a)
                while b >= 0 && s[b] > s[b + 1] do
                  let u = s[b]
                  let v = s[b + 1]
                  in (s with [b] = v with [b + 1] = u, b - 1)).0)[i % 4])
      (iota n)
