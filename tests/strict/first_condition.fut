-- The kernel that finds a loop's first condition false stops all launches behind it. That of the
-- loop's first value comes later here: the loop has to wait for its condition then.
-- ==
-- input { empty([0]bool) } output { 1u64 }

entry main [n] (ys: [n]bool) =
  ((u64.i64 (loop (acc17, j18) = (1i64, 0i64) while j18 < 4 && (let e19 = (flatten (transpose (replicate 3 (replicate n true))))[:n] in if n > 0 then e19[1i64 % n] else false) do ((let e22 = (let a23 = (replicate n 1i64) in tabulate n (\i -> let c29 = a23[i] let l30 = (if i + (-3) >= 0 && i + (-3) < n then a23[i + (-3)] else 1i64) let r31 = (if i < 3 || i + 3 >= n then a23[i] else a23[i + 3]) in r31)) in if n > 0 then e22[(reduce (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (i64.lowest, -1) (zip (replicate n 1i64) (iota n))).1 % n] else 1i64), j18 + 1)).0))
