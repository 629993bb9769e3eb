-- Filters of more elements than a chunk holds: order, several arrays at once, all and none kept.
-- ==
-- input { [0i64, 1i64, 63i64, 64i64, 65i64, 8192i64, 8193i64, 30001i64] }
-- output { true true true true }
def number (i: i64) : u32 = u32.i64 i * 2654435761 ^ (u32.i64 i >> 5)

def slow [n] 't (p: t -> bool) (xs: [n]t) : []t =
  let (count, kept) =
    loop (k, out) = (0, copy xs)
    for i < n do
      if p xs[i] then (k + 1, out with [k] = xs[i]) else (k, out)
  in kept[:count]

def same [n] [m] (xs: [n]u32) (ys: [m]u32) : bool = n == m && and (map2 (==) xs (ys :> [n]u32))

def some (n: i64) : bool =
  let xs = tabulate n number
  let odd (x: u32) = x % 3 == 1
  in same (filter odd xs) (slow odd xs)

def ends (n: i64) : bool =
  let xs = tabulate n number
  in same (filter (const true) xs) xs && length (filter (\x -> x % 2 > 1) xs) == 0

def pairs (n: i64) : bool =
  let xs = tabulate n (\i -> (number i, u8.i64 i, f64.i64 i))
  let keep (x: u32, y: u8, z: f64) = x % 5 < 2 && y < 200 && z >= 2
  let (a, b, c) = unzip3 (filter keep xs)
  let (d, e, f) = unzip3 (slow keep xs)
  in same a d && same (map u32.u8 b) (map u32.u8 e) && same (map u32.f64 c) (map u32.f64 f)

def parted (n: i64) : bool =
  let xs = tabulate n number
  let (a, b) = partition (\x -> x % 7 < 3) xs
  in same a (slow (\x -> x % 7 < 3) xs) && same b (slow (\x -> x % 7 >= 3) xs)

def main (sizes: []i64) = (all some sizes, all ends sizes, all pairs sizes, all parted sizes)
