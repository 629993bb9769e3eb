-- Loops of cells that read and write rows and columns: up and down, elements of 4 and 8 bytes, in
-- place, with a first iteration of its own, at places of the data.
-- ==
-- entry: filter prefix scores columns
-- input { 0i64 5i64 }
-- input { 1i64 1i64 }
-- input { 5i64 13i64 }
-- input { 3i64 16i64 }
-- input { 7i64 2i64 }
-- input { 70i64 37i64 }

-- ==
-- entry: solved downward gathered
-- input { 0i64 5i64 }
-- input { 1i64 1i64 }
-- input { 5i64 13i64 }
-- input { 3i64 16i64 }
-- input { 70i64 37i64 }

def table (m: i64) (n: i64) (s: i64) : [m][n]f32 =
  tabulate_2d m n (\i j -> f32.i64 ((i * 31 + j * 17 + s) %% 23) / 8)

entry filter (m: i64) (n: i64) : [m][n]f32 =
  map (\x ->
         loop y = replicate n 0
         for i < n do
           let p = if i > 0 then y[i - 1] else 0
           let q = if i > 1 then y[i - 2] else 0
           in y with [i] = 0.2 * x[i] + 1.1 * p - 0.3 * q)
      (table m n 0)

entry prefix (m: i64) (n: i64) : [m][n]f32 =
  map (\x ->
         loop y = copy x
         for i < n - 1 do
           y with [i + 1] = y[i] + y[i + 1])
      (table m n 1)

entry scores (m: i64) (n: i64) : ([m]f32, [m]f64) =
  unzip (map (\x ->
                loop (s, t) = (0, 0)
                for i < n do
                  (s * 0.5 + x[i], t + f64.f32 (s * x[n - 1 - i])))
             (table m n 2))

entry columns (m: i64) (n: i64) : [m][n]f32 =
  transpose (map (\x ->
                    loop y = replicate m 0
                    for i < m do
                      y with [i] = x[i] + (if i > 0 then 0.5 * y[i - 1] else 0))
                 (transpose (table m n 3)))

-- Thomas's algorithm.
entry solved (m: i64) (n: i64) : [m][n]f32 =
  map4 (\a b c d ->
          let (cs, ds) =
            loop (cs, ds) = (copy c, copy d)
            for i < n do
              if i == 0
              then (cs with [0] = c[0] / b[0], ds with [0] = d[0] / b[0])
              else let m = b[i] - a[i] * cs[i - 1]
                   in (cs with [i] = c[i] / m, ds with [i] = (d[i] - a[i] * ds[i - 1]) / m)
          in loop x = copy ds
             for k < n - 1 do
               let i = n - 2 - k
               in x with [i] = ds[i] - cs[i] * x[i + 1])
       (table m n 0)
       (map (map (+ 9)) (table m n 1))
       (table m n 2)
       (table m n 3)

entry downward (m: i64) (n: i64) =
  map (\x ->
         loop y = replicate (n + 1) 0i64
         for i < n do
           y with [n - 1 - i] = i64.f32 (x[i] * 8) + y[n - i])
      (table m n 4)

entry gathered (m: i64) (n: i64) : [m][n]f32 =
  map (\x ->
         loop y = copy x
         for i < n do
           let k = i64.f32 (x[i] * 8) % n
           in y with [k] = y[k] + y[i] * 0.5)
      (table m n 5)
