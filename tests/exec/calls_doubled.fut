-- Functions that call each other twice stay functions: scalars, cells of a map, and arrays.
-- ==
-- entry: scalars
-- input { 1i32 } output { 1048577i32 }
-- ==
-- entry: cells
-- input { [1i32, 2i32] } output { [1048577i32, 1048578i32] }
-- ==
-- entry: arrays
-- input { [1i32, 2i32] } output { [16385i32, 16386i32] }
-- ==
-- entry: fails
-- input { [1i32] 1i32 } output { 1i32 }
-- input { [1i32] 2i32 } error: index `\[-1\]` is out of range

def f0 (x: i32) = x + 1
def f4 (x: i32) = let g (y: i32) = f0 (f0 y) let h (y: i32) = g (g y) in h (h (h (h x)))
def f5 (x: i32) = f4 (f4 x)
def f6 (x: i32) = f5 (f5 x)
def f7 (x: i32) = f6 (f6 x)
def f8 (x: i32) = f7 (f7 x)
def f9 (x: i32) = f8 (f8 x)
def f10 (x: i32) = f9 (f9 x)
def f11 (x: i32) = f10 (f10 x)
def f12 (x: i32) = f11 (f11 x)
def f13 (x: i32) = f12 (f12 x)
def f14 (x: i32) = f13 (f13 x)
def f15 (x: i32) = f14 (f14 x)
def f16 (x: i32) = f15 (f15 x)
def f17 (x: i32) = f16 (f16 x)
def f18 (x: i32) = f17 (f17 x)
def f19 (x: i32) = f18 (f18 x)
def f20 (x: i32) = f19 (f19 x)

entry scalars (x: i32) : i32 = f20 x
entry cells [n] (xs: [n]i32) : [n]i32 = map f20 xs

def g0 [n] (xs: *[n]i32) : *[n]i32 = map (+ 1) xs
def g2 [n] (xs: *[n]i32) : *[n]i32 = g0 (g0 (g0 (g0 xs)))
def g4 [n] (xs: *[n]i32) : *[n]i32 = g2 (g2 (g2 (g2 xs)))
def g6 [n] (xs: *[n]i32) : *[n]i32 = g4 (g4 (g4 (g4 xs)))
def g8 [n] (xs: *[n]i32) : *[n]i32 = g6 (g6 (g6 (g6 xs)))
def g10 [n] (xs: *[n]i32) : *[n]i32 = g8 (g8 (g8 (g8 xs)))
def g12 [n] (xs: *[n]i32) : *[n]i32 = g10 (g10 (g10 (g10 xs)))
def g14 [n] (xs: *[n]i32) : *[n]i32 = g12 (g12 (g12 (g12 xs)))

entry arrays [n] (xs: *[n]i32) : *[n]i32 = g14 xs

def h0 (xs: []i32) (x: i32) = xs[i64.i32 (1 - x)]

def h4 (xs: []i32) (x: i32) =
  let g y = h0 xs (h0 xs y) let h y = g (g y) in h (h (h (h x)))

def h8 (xs: []i32) (x: i32) =
  let g y = h4 xs (h4 xs y) let h y = g (g y) in h (h (h (h x)))

def h12 (xs: []i32) (x: i32) =
  let g y = h8 xs (h8 xs y) let h y = g (g y) in h (h (h (h x)))

entry fails (xs: []i32) (x: i32) : i32 = h12 xs x
