-- A lifted type parameter may stand for results that bring sizes of their own, new ones at every call.

def call '^a '^b (f: a -> b) (x: a) : b = f x
def both '^a '^b (f: a -> b) (x: a) (y: a) = (f y, f x)

def named '~b (f: i64 -> b) : {value: b, again: b} =
  let value: b = f 3
  in {value, again = f 4}

type^ side '~a = #left a | #right a

def left 'a '~b (f: a -> b) (x: a) : side b = #left (f x)

module tools = {
  def twice '^a '^b '^c (f: a -> b -> c) (x: a) (y: b) (z: b) = (f x y, call (f x) z)
}

-- ==
-- entry: calls
-- input { [3, -1, 4] 2i64 } output { 2i64 [0i64, 1i64] 5i64 [3i32, 4i32] }
entry calls (xs: []i32) (n: i64) =
  let positive = call (filter (> 0)) xs
  let (longer, shorter) = both iota 2 3
  in (length (call (filter (> 0)) xs), call iota n, length longer + length shorter, positive)

-- ==
-- entry: parts
-- input { [3, -1, 4] } output { 3i64 4i64 2i64 [1i64, 2i64] }
entry parts (xs: []i32) =
  let {value, again} = named (\n -> map i32.i64 (iota n))
  let kept =
    match left (filter (> 0)) xs
    case #left ys -> length ys
    case #right ys -> length ys - 100
  in (length value, length again, kept, call (\(a, b) -> a..<b) (1, 3i64))

-- ==
-- entry: nested
-- input { [3, -1, 4] } output { 2i64 3i64 [[0i64, 0i64], [1i64, 1i64]] 1i64 }
entry nested (xs: []i32) =
  let (some, all) = tools.twice (\p ys -> filter (p <) ys) 0 xs (map i32.abs xs)
  let pairs = call (\n -> tabulate n (\i -> replicate n i)) 2
  in (length some, length all, pairs, length (uncurry filter ((> 3), xs)))
