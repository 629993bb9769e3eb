-- Steps read one array, in shared memory, and write a row of the other one, which is as large as may be: cells have workgroups.
def main [b] [n] (starts: [b][n]i32) (steps: i64) : ([b][n]i32, [b][steps][n]i32) =
  unzip (map (\start ->
                loop (v, rows) = (start, replicate steps (replicate n 0))
                for t < steps do
                  let w = map (\j -> v[j] + v[(j + 1) % n]) (iota n)
                  in (w, rows with [t] = w))
             starts)
