-- Scatters of many elements whose places and values are computed: a permutation, places out of range,
-- two arrays with the same places, a matrix, equal values at equal places.
-- ==
-- input { [0i64, 1i64, 255i64, 256i64, 257i64, 40009i64] }
-- output { true true true true }
def number (i: i64) : u32 = u32.i64 i * 2654435761 ^ (u32.i64 i >> 3)

def turned (n: i64) : bool =
  let places = map (\i -> n - 1 - (i ^ 1)) (iota n)
  let values = map (\i -> i32.i64 i * 3 + 1) (iota n)
  let found = scatter (replicate n 0) places values
  let at (j: i64) = let i = (n - 1 - j) ^ 1 in if 0 <= i && i < n then i32.i64 i * 3 + 1 else 0
  in and (map2 (==) found (tabulate n at))

def both (n: i64) : bool =
  let pair (i: i64) = (if i % 3 == 0 then -1 - i else 2 * i % (n + n / 2), (number i, f64.i64 (i % 100)))
  let (places, values) = unzip (map pair (iota n))
  let (a, b) = unzip (scatter (replicate (2 * n) (7, 0.5)) (map (\p -> 2 * p) places) values)
  let known = reduce_by_index (replicate (2 * n) 0i32) (+) 0 (map (\p -> 2 * p) places) (map (const 1) places)
  in and (map3 (\x y k -> k > 0 || (x == 7 && y == 0.5)) a b known)
     && and (map2 (\p (x, y) ->
                     let at = 2 * p
                     in at < 0 || at >= 2 * n || known[at] > 1 || (a[at] == x && b[at] == y))
                  places
                  values)

def matrix (n: i64) : bool =
  let places = map (\i -> (i % 50, i / 50 - 1)) (iota n)
  let found = scatter_2d (replicate 50 (replicate (n / 50) 0)) places (map (\i -> i32.i64 i + 5) (iota n))
  in and (map and (tabulate_2d 50 (n / 50) (\y x ->
                                              let i = (x + 1) * 50 + y in found[y, x] == if i < n then i32.i64 i + 5 else 0)))

def repeated (n: i64) : bool =
  let found = scatter (replicate 100 0) (map (\i -> (i * 7) % 100) (iota n)) (map (\i -> i32.i64 ((i * 7) % 100) * 2) (iota n))
  in and (map2 (\x j -> x == 0 || x == i32.i64 j * 2) found (iota 100))

def main (sizes: []i64) = (all turned sizes, all both sizes, all matrix sizes, all repeated sizes)
