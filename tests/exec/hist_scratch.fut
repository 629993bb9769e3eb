-- Atomic histograms whose map needs memory: every invocation of every workgroup has its own.

def hash (i: i64) : i64 = i64.u32 ((u32.i64 i * 2654435761) >> 3)

def bin (bins: i64) (k: i64) (i: i64) : i64 =
  let a =
    loop a = replicate k (i + 1)
    for j < k * 3 do
      a with [j % k] = a[(j + i) % k] * 3 + hash (j + a[(j * 7) % k]) % 11
  in i64.sum a % bins

-- ==
-- entry: counts
-- input { 50i64 13i64 5i64 }
-- input { 50i64 300i64 5i64 }
-- input { 5i64 60000i64 3i64 }
-- input { 50i64 100000i64 7i64 }
-- input { 30000i64 70000i64 5i64 }
entry counts (bins: i64) (n: i64) (k: i64) : [bins]i32 =
  hist (+) 0i32 bins (map (bin bins k) (iota n)) (map i32.i64 (iota n))
