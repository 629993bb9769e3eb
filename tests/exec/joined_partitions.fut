-- Parts of partitions behind each other, and steps of radix sorts with sums of flags: more elements
-- than one workgroup sorts alone.
-- ==
-- entry: by_partition by_bits by_counted_bits
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 500i64 } output { true }
-- input { 20000i64 } output { true }
-- ==
-- entry: pairs parts_elsewhere sieved
-- input { 300i64 } output { true }
-- input { 20000i64 } output { true }

def keys (n: i64) : [n]u32 = tabulate n (\i -> (u32.i64 i * 2654435761) >> 20)

def is_sorted [n] (xs: [n]u32) : bool = and (tabulate n (\i -> i == 0 || xs[i - 1] <= xs[i]))

def sum [n] (xs: [n]u32) : u32 = reduce (+) 0 xs

entry by_partition (n: i64) : bool =
  let sorted =
    loop xs = keys n
    for b < 12i32 do
      let (zeros, ones) = partition (\x -> (x >> u32.i32 b) & 1 == 0) xs
      in (zeros ++ ones) :> [n]u32
  in is_sorted sorted && sum sorted == sum (keys n)

entry pairs (n: i64) : bool =
  let (sorted, is) =
    unzip (loop ps = zip (keys n) (iota n)
           for b < 12i32 do
             let (zeros, ones) = partition (\(x, _) -> (x >> u32.i32 b) & 1 == 0) ps
             in (zeros ++ ones) :> [n](u32, i64))
  in is_sorted sorted && and (map2 (\x i -> (keys n)[i] == x) sorted is)

-- The parts have other uses, or the second one comes first.
entry parts_elsewhere (n: i64) : bool =
  let (small, large) = partition (< 1000) (keys n)
  let turned = large ++ small
  let (even, odd) = partition (\x -> x % 2 == 0) (keys n)
  let both = even ++ odd
  in sum turned == sum both && all (\x -> x % 2 == 1) odd
     && and (map (< 1000) (drop (length large) turned))
     && sum even + sum odd == sum both

-- The places of ones begin behind the number of zeros.
entry by_bits (n: i64) : bool =
  let sorted =
    loop xs = keys n
    for b < 12i32 do
      let bits = map (\x -> i64.u32 ((x >> u32.i32 b) & 1)) xs
      let others = map (1 -) bits
      let zeros = scan (+) 0 others
      let ones = map (+ reduce (+) 0 others) (scan (+) 0 bits)
      let places = map4 (\o z b s -> o * z + b * s - 1) others zeros bits ones
      in scatter (copy xs) places xs
  in is_sorted sorted && sum sorted == sum (keys n)

-- The same in numbers of 32 bits, whose sum is the last one.
entry by_counted_bits (n: i64) : bool =
  let sorted =
    loop xs = keys n
    for b < 12i32 do
      let zeros = map (\x -> i32.bool ((x >> u32.i32 b) & 1 == 0)) xs
      let ends = scan (+) 0 zeros
      let k = if n == 0 then 0 else last ends
      let place z e i = if z == 1 then i64.i32 e - 1 else i64.i32 k + i - i64.i32 e
      in scatter (copy xs) (map3 place zeros ends (iota n)) xs
  in is_sorted sorted && sum sorted == sum (keys n)

-- Both parts of a partition of a part: the rest is as long as a count leaves of a count.
entry sieved (n: i64) : bool =
  let (threes, others) = partition (\i -> i % 3 == 0) (iota n)
  let (even, odd) = partition (\i -> i % 2 == 0) others
  let marks = scatter (scatter (scatter (replicate n 0i8) threes (map (const 3) threes)) even (map (const 2) even)) odd (map (const 1) odd)
  in and (tabulate n (\i -> marks[i] == if i % 3 == 0 then 3 else if i % 2 == 0 then 2 else 1))
     && length (map (+ 1) odd) == i64.sum (map (\i -> i64.bool (i % 3 != 0 && i % 2 == 1)) (iota n))
