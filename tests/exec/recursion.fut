-- Recursion: with functions handed on, with sizes that change, with sums.
-- tolerance: exact
-- ==
-- input { 6i32 [5i32, 3i32, 9i32, 1i32, 7i32] } output { 720i32 64i32 25i32 9i32 3i64 }
def factorial (n: i32) : i32 = if n <= 1 then 1 else n * factorial (n - 1)

def apply_times (f: i32 -> i32) (n: i32) (x: i32) : i32 =
  if n == 0 then x else apply_times f (n - 1) (f x)

def total [n] (xs: [n]i32) : i32 = if n == 0 then 0 else xs[0] + total xs[1:]

def biggest [n] (xs: [n]i32) : i32 =
  if n == 1 then xs[0] else i32.max (biggest xs[:n / 2]) (biggest xs[n / 2:])

type step = #done i64 | #more i32

def walk (s: step) (count: i64) : i64 =
  match s
  case #done n -> n
  case #more 0 -> walk (#done count) count
  case #more k -> walk (#more (k / 2)) (count + 1)

entry main [n] (k: i32) (xs: [n]i32) =
  (factorial k, apply_times (* 2) k 1, total xs, biggest xs, walk (#more k) 0)
