-- Cells of which all statements want short sums of the cell's number: each kernel computes them
-- again, however much other arithmetic the cell has.

entry main [n] [m] (xss: [n][m]f32) (k: i64) : ([n][m]f32, [n][m]i64) =
  unzip (map2 (\xs i ->
                 let start = i * k + 1
                 let far = start * 3 - i
                 let w = ((start * start + i) * (far - k) + far * far) * (start + 5) * (far + 7) - start * 11 + far
                 let v = (w * w + start) * (w - far) + w * 13
                 let sums = scan (+) 0 (map (\x -> x + f32.i64 start) xs)
                 let counts = scan (+) 0 (map (\j -> (j + start) * far + v % 5) (iota m))
                 in (sums, counts))
              xss
              (iota n)
         |> map (\(a, b) -> (a, b)))
