-- Sorting: radix sort by scatter, merge sort, heap sort and quicksort in place, bitonic sort.
-- ==
-- entry: radix radix_by_key bubble insertion heap quick merge bitonic
-- input { [5, -3, 9, 0, 12, -7, 5, 2] } output { [-7, -3, 0, 2, 5, 5, 9, 12] }
-- input { [1, 0] } output { [0, 1] }
-- ==
-- entry: ranks
-- input { [30, 10, 20] } output { [2i64, 0i64, 1i64] [10, 20, 30] }

def step [n] 't (bit: i32) (key: t -> u32) (xs: [n]t) : [n]t =
  let ones = map (\x -> i64.u32 ((key x >> u32.i32 bit) & 1)) xs
  let zeros = map (1 -) ones
  let zeros_before = scan (+) 0 zeros
  let ones_before = scan (+) 0 ones
  let total = zeros_before[n - 1]
  let places = map3 (\o z k -> if o == 1 then total + k - 1 else z - 1) ones zeros_before ones_before
  in scatter (copy xs) places xs

def flip (x: i32) : u32 = u32.i32 (x ^ i32.lowest)
def radix_sort [n] 't (key: t -> u32) (xs: [n]t) : [n]t = loop xs for bit < 32 do step bit key xs
entry radix = radix_sort flip

entry radix_by_key [n] (xs: [n]i32) : [n]i32 =
  let (sorted, places) = unzip (radix_sort (\(x, _) -> flip x) (zip xs (iota n)))
  in map2 (\x p -> if xs[p] == x then x else i32.lowest) sorted places

def swap 't (xs: *[]t) (i: i64) (j: i64) : *[]t =
  let x = copy xs[i]
  let xs[i] = copy xs[j]
  let xs[j] = x
  in xs

entry bubble [n] (xs: *[n]i32) =
  (loop (xs, go) = (xs, true)
   while go do
     loop (xs, go) = (xs, false)
     for i < n - 1 do
       if xs[i] > xs[i + 1]
       then let (a, b) = (xs[i], xs[i + 1])
            let xs[i] = b
            let xs[i + 1] = a
            in (xs, true)
       else (xs, go)).0

entry insertion [n] (xs: *[n]i32) =
  loop xs for i < n do
    let x = xs[i]
    let (xs, j) =
      loop (xs, j) = (xs, i)
      while j > 0 && xs[j - 1] > x do
        let xs[j] = xs[j - 1]
        in (xs, j - 1)
    in xs with [j] = x

def sift [n] (xs: *[n]i32) (top: i64) (end: i64) : *[n]i32 =
  let (xs, _) =
    loop (xs, i) = (xs, top)
    while i < end do
      let (l, r) = (2 * i + 1, 2 * i + 2)
      let big = if l < end && xs[l] > xs[i] then l else i
      let big = if r < end && xs[r] > xs[big] then r else big
      in if big == i then (xs, end) else (swap xs i big :> [n]i32, big)
  in xs

entry heap [n] (xs: *[n]i32) =
  let xs = loop xs for k < n / 2 do sift xs (n / 2 - 1 - k) n
  in loop xs for k < n - 1 do
       let end = n - 1 - k
       let xs = swap xs 0 end :> [n]i32
       in sift xs 0 end

-- A stack of ranges in two arrays.
entry quick [n] (xs: *[n]i32) =
  let starts = replicate (2 * n + 2) 0i64
  let ends = replicate (2 * n + 2) 0i64
  let ends[0] = n
  let (xs, _, _, _) =
    loop (xs, starts, ends, top) = (xs, starts, ends, 1i64)
    while top > 0 do
      let (lo, hi) = (starts[top - 1], ends[top - 1])
      in if hi - lo < 2
         then (xs, starts, ends, top - 1)
         else let p = xs[hi - 1]
              let (xs, mid) =
                loop (xs, mid) = (xs, lo)
                for j in lo..<hi - 1 do
                  if xs[j] < p
                  then let t = xs[j]
                       let xs[j] = xs[mid]
                       let xs[mid] = t
                       in (xs, mid + 1)
                  else (xs, mid)
              let xs[hi - 1] = xs[mid]
              let xs[mid] = p
              let starts[top - 1] = lo
              let ends[top - 1] = mid
              let starts[top] = mid + 1
              let ends[top] = hi
              in (xs, starts, ends, top + 1)
  in xs

entry merge [n] (xs: [n]i32) : [n]i32 =
  let (sorted, _) =
    loop (xs, width) = (xs, 1)
    while width < n do
      let out = replicate n 0
      let (out, _) =
        loop (out, lo) = (out, 0)
        while lo < n do
          let mid = i64.min (lo + width) n
          let hi = i64.min (lo + 2 * width) n
          let (out, _, _) =
            loop (out, i, j) = (out, lo, mid)
            for k in lo..<hi do
              if i < mid && (j >= hi || xs[i] <= xs[j])
              then (out with [k] = xs[i], i + 1, j)
              else (out with [k] = xs[j], i, j + 1)
          in (out, hi)
      in (out, 2 * width)
  in sorted

-- Eight at a time: padded with the largest number.
entry bitonic [n] (xs: [n]i32) : [n]i32 =
  let padded = map (\i -> if i < n then xs[i] else i32.highest) (iota 8)
  let (sorted, _) =
    loop (xs, k) = (padded, 2)
    while k <= 8 do
      let (xs, _) =
        loop (xs, j) = (xs, k / 2)
        while j > 0 do
          let other i = i ^ j
          let up i = (i & k) == 0
          let ys =
            map (\i ->
                   let p = other i
                   let (a, b) = (xs[i], xs[p])
                   in if (i < p) == up i then i32.min a b else i32.max a b)
                (iota 8)
          in (ys, j / 2)
      in (xs, 2 * k)
  in sorted[:n]

entry ranks [n] (xs: [n]i32) =
  let ranks = map (\x -> i64.sum (map (\y -> if y < x then 1 else 0) xs)) xs
  in (ranks, scatter (replicate n 0) ranks xs)
