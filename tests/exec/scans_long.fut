-- Scans of more elements than a vector and than a chunk hold: operators that do not commute, tuples,
-- reductions and maps beside the scan; compared with a loop.
-- tolerance: exact
-- ==
-- input { [0i64, 1i64, 15i64, 16i64, 17i64, 8191i64, 8192i64, 8193i64, 30001i64] }
-- output { true true true true true }
def slow [n] 't (op: t -> t -> t) (ne: t) (xs: [n]t) : [n]t =
  (loop (acc, out) = (ne, copy xs)
   for i < n do
     let acc = op acc xs[i]
     in (acc, out with [i] = acc)).1

def number (i: i64) : u32 = u32.i64 i * 2654435761 ^ (u32.i64 i >> 3)

def sums (n: i64) : bool =
  let xs = tabulate n number
  in and (map2 (==) (scan (+) 0 xs) (slow (+) 0 xs))

def affine (n: i64) : bool =
  let step (a, b) (c, d): (u32, u32) = (a * c, b * c + d)
  let xs = tabulate n (\i -> (number i | 1, number (i + 7)))
  in and (map2 (\(a, b) (c, d) -> a == c && b == d) (scan step (1, 0) xs) (slow step (1, 0) xs))

def segmented (n: i64) : bool =
  let step (f, x) (g, y): (bool, i64) = (f || g, if g then y else x + y)
  let xs = tabulate n (\i -> (number i % 37 == 0, i64.u32 (number i) - 1000))
  in and (map2 (\(a, b) (c, d) -> a == c && b == d) (scan step (false, 0) xs) (slow step (false, 0) xs))

def wide (n: i64) : bool =
  let xs = tabulate n (\i -> f64.i64 (i64.u32 (number i) % 1000))
  in and (map2 (==) (scan (+) 0 xs) (slow (+) 0 xs))

-- one node: a scan, a reduction of what it scans, and a mapped array
def beside (n: i64) : bool =
  let xs = tabulate n (\i -> i32.u32 (number i) % 100)
  let ys = map (\x -> x * 3) xs
  let most = i32.maximum ys
  let smallest = scan i32.min i32.highest ys
  in most == (loop m = i32.lowest for y in ys do i32.max m y)
     && and (map2 (==) smallest (slow i32.min i32.highest ys))
     && and (map2 (\x y -> x * 3 == y) xs ys)

def main (sizes: []i64) =
  (all sums sizes, all affine sizes, all segmented sizes, all wide sizes, all beside sizes)
