-- Histograms of many elements over few and many bins, which count in tables of their own: several
-- operators, pairs, places out of range, contents that were there before.
-- ==
-- input { 100003i64 [1i64, 16i64, 1024i64, 1025i64, 8193i64, 40000i64] }
-- output { true true true true }
def number (i: i64) : u32 = u32.i64 i * 2654435761 ^ (u32.i64 i >> 3)
def place (bins: i64) (i: i64) : i64 = i64.u32 (number i >> 4) % (bins + 2) - 1

def slow [k] 't (old: [k]t) (op: t -> t -> t) (n: i64) (value: i64 -> t) : [k]t =
  loop out = copy old
  for i < n do
    let b = place k i
    in if 0 <= b && b < k then let old = copy out[b] in out with [b] = op old (value i) else out

def counts (n: i64) (bins: i64) : bool =
  let old = tabulate bins i32.i64
  in and (map2 (==)
               (reduce_by_index (copy old) (+) 0 (tabulate n (place bins)) (replicate n 1))
               (slow old (+) n (const 1)))

def largest (n: i64) (bins: i64) : bool =
  let value (i: i64) = i32.u32 (number (i + 3))
  let old = replicate bins 77
  in and (map2 (==)
               (reduce_by_index (copy old) i32.max i32.lowest (tabulate n (place bins)) (tabulate n value))
               (slow old i32.max n value))

def pairs (n: i64) (bins: i64) : bool =
  let op (a, i) (b, j): (u32, i64) = if a < b || (a == b && i < j) then (a, i) else (b, j)
  let value (i: i64) = (number (i + 5) % 1000, i)
  let old = replicate bins (u32.highest, i64.highest)
  in and (map2 (==)
               (reduce_by_index (copy old) op (u32.highest, i64.highest) (tabulate n (place bins)) (tabulate n value))
               (slow old op n value))

-- sums of whole numbers are exact in any order
def floats (n: i64) (bins: i64) : bool =
  let value (i: i64) = f32.u32 (number i % 16)
  let old = replicate bins 0.5f32
  in and (map2 (==)
               (reduce_by_index (copy old) (+) 0 (tabulate n (place bins)) (tabulate n value))
               (slow old (+) n value))

def main (n: i64) (sizes: []i64) =
  (all (counts n) sizes, all (largest n) sizes, all (pairs n) sizes, all (floats n) sizes)
