-- Arrays that a loop writes element by element, in kernels and on the host.
-- ==
-- entry: rows whole partly
-- input { 0i64 0i64 }
-- input { 3i64 0i64 }
-- input { 1i64 5i64 }
-- input { 70i64 9i64 }
-- input { 5i64 300i64 }

entry rows (n: i64) (m: i64) : [n][m]i32 =
  tabulate n (\r ->
                let (_, ys) =
                  loop (s, ys) = (i32.i64 r, replicate m 7)
                  for k < m do
                    let s = (s * 5 + i32.i64 k) % 1013
                    in (s, ys with [k] = s)
                in ys)

entry whole (n: i64) (m: i64) : [m]i64 =
  let (_, ys) =
    loop (s, ys) = (n, replicate m 0) for k < m do (s * 3 % 101, ys with [k] = s + k)
  in ys

-- Some elements keep what they had.
entry partly (n: i64) (m: i64) : [n][m]i32 =
  tabulate n (\r ->
                loop ys = replicate m (i32.i64 r)
                for k < m - 1 do
                  if k % 3 == 0 then ys with [k] = ys[k] + 1 else ys with [k + 1] = 2)
