-- Beside derivatives: rows of a cell that are longer or shorter than its loops, and loops whose
-- bound is the cell's.
-- ==
-- entry: beside_checks
-- input { 2i64 2i64 3f64 } output { 6f64 [0i64, 0i64, 0i64, 7i64, 7i64, 7i64] }
-- input { 2i64 -1i64 3f64 } output { 6f64 [0i64, 0i64, 0i64, 7i64, 7i64, 7i64] }
entry beside_checks (n: i64) (m: i64) (x: f64) : (f64, []i64) =
  let rows =
    map (\i ->
           let row = replicate 3 (i * 7)
           let _ = loop () = () for j < m do assert (j < 100) ()
           in row)
        (iota n)
  in (vjp (\y -> y * y) x 1, flatten rows)

-- ==
-- entry: checks_of_cells
-- input { 3i64 3f64 } output { 6f64 [0i64, 0i64, 0i64, 7i64, 7i64, 7i64, 14i64, 14i64, 14i64] }
entry checks_of_cells (n: i64) (x: f64) : (f64, []i64) =
  let rows =
    map (\i ->
           let row = replicate 3 (i * 7)
           let _ = loop () = () for j < i do assert (j < 100) ()
           in row)
        (iota n)
  in (vjp (\y -> y * y) x 1, flatten rows)

-- ==
-- entry: two_lengths
-- input { 2i64 3f64 } output { 6f64 [0i64, 0i64, 0i64, 7i64, 7i64, 7i64] [0i64, 1i64, 10i64, 11i64] }
entry two_lengths (n: i64) (x: f64) : (f64, []i64, []i64) =
  let (as, bs) =
    unzip (map (\i ->
                  let a = replicate 3 (i * 7)
                  let b = loop r = replicate 2 0i64 for j < 2 do r with [j] = i * 10 + j
                  in (a, b))
               (iota n))
  in (vjp (\y -> y * y) x 1, flatten as, flatten bs)
