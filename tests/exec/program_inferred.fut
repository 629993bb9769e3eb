-- Sizes and types that follow from use: products, chunks, padding, merging, nested tuples, sections.
def sumrows [n] [m] (xss: [n][m]f32) : [n]f32 = map f32.sum xss
def outer [n] [m] 'a 'b 'c (op: a -> b -> c) (xs: [n]a) (ys: [m]b) : [n][m]c = map (\x -> map (op x) ys) xs
entry e1 (xs: []i32) (ys: []i32) = outer (*) xs ys
def chunks [n] 't (k: i64) (xs: [n]t) : [n / k][k]t = unflatten (take (n / k * k) xs :> [(n / k) * k]t)
entry e2 (xs: []i32) = chunks 2 xs
def pairs [n] 'a (xs: [n]a) : []((a, a)) = flatten (map (\i -> map (\j -> (xs[i], xs[j])) (iota n)) (iota n))
entry e3 (xs: []i32) = pairs xs |> filter (\(a, b) -> a < b) |> unzip
def padto [n] 't (m: i64) (x: t) (xs: [n]t) : [m]t = sized m (xs ++ replicate (m - n) x)
entry e4 (xs: []i32) = padto 5 0 xs
entry e5 [n] (xs: [n]i32) = let k = n / 2 in (take k xs, drop k xs, xs[:k] ++ xs[k:])

def merge [n] [m] (xs: [n]i32) (ys: [m]i32) : [n + m]i32 =
  let cnt (lt: i32 -> i32 -> bool) (a: []i32) x = length (filter (`lt` x) a)
  let ix = map2 (\i x -> i + cnt (<) ys x) (iota n) xs
  let iy = map2 (\i y -> i + cnt (<=) xs y) (iota m) ys
  in scatter (replicate (n + m) 0) (ix ++ iy) (xs ++ ys)

entry e6 = merge

def bubble [n] (xs: [n]i32) : [n]i32 =
  (loop (xs, go) = (copy xs, true)
   while go do
     let ys = map (\i -> if i + 1 < n && xs[i] > xs[i + 1] && i % 2 == 0 then xs[i + 1] else if i > 0 && (i - 1) % 2 == 0 && xs[i - 1] > xs[i] then xs[i - 1] else xs[i]) (iota n)
     let zs = map (\i -> if i + 1 < n && ys[i] > ys[i + 1] && i % 2 == 1 then ys[i + 1] else if i > 0 && (i - 1) % 2 == 1 && ys[i - 1] > ys[i] then ys[i - 1] else ys[i]) (iota n)
     in (zs, or (map2 (!=) zs xs))).0

entry e7 = bubble
def compose2 = (\f g x -> f (g x)) : (i32 -> i32) -> (i32 -> i32) -> i32 -> i32
entry e8 x = compose2 (+ 1) (* 2) x
def dup 'a (x: a) = (x, x)
entry e9 (x: i32) = let (a, b) = dup x let ((c, d), e) = dup (x, 3) |> \(p, (q, r)) -> (p, q + r) in a + b + c + d + e
entry e10 [n] (xs: [n]i32) : [n]i32 = let f = if n > 3 then 1 else 2 in map (\x -> let g = (+ f) in g x) xs
entry e11 [n] [m] (a: [n][m]i32) (b: [m][n]i32) = let mm [p] [q] [r] (x: [p][q]i32) (y: [q][r]i32) = map (\s -> map (\c -> i32.sum (map2 (*) s c)) (transpose y)) x in (mm a b, mm b a)
entry e12 (n: i64) = let is = iota n in map (\i -> reduce (+) 0 (map (\j -> if j < i then j else 0) is)) is
entry e13 (b: bool) (xs: []i32) = (if b then (xs, length xs) else ([], 0)).1
entry e14 [n] (xs: [n]bool) = (and xs, or xs, all id xs, any (\x -> !x) xs)
entry e15 (x: f64) = (f64.floor x, f64.ceil x, f64.round x, f64.trunc x, i32.f64 x, f64.i32 (i32.f64 x) == x)
entry e16 (s: []u8) = let isd c = c >= '0' && c <= '9' in foldl (\acc c -> if isd c then acc * 10 + i32.u8 (c - '0') else acc) 0 s
entry e17 = map (\(x: i32, y: i32) -> x * y) (zip [1, 2, 3] [4, 5, 6])
entry e18 (x: i32) = let t = (x, (x + 1, [x, x])) let (a, (b, c)) = t in a + b + c[0] + t.1.1[1] + (t.1).0
entry e19 [n] (xs: [n](i32)) = let r = map (\x -> {x, y = x * 2}) xs in map (.y) r |> i32.sum
entry e20 (a: i32) (b: i32) = (a / b, a % b, a // b, a %% b, a ** 2, a << 1, a >> 1, a i32.>>> 1, a & b, a | b, a ^ b, -a, !a)

-- ==
-- entry: e1
-- input { [1,2] [3,4,5] } output { [[3,4,5],[6,8,10]] }
-- ==
-- entry: e2
-- input { [1,2,3,4,5] } output { [[1,2],[3,4]] }
-- ==
-- entry: e3
-- input { [2,1,3] } output { [2,1,1] [3,2,3] }
-- ==
-- entry: e4
-- input { [1,2] } output { [1,2,0,0,0] }
-- ==
-- entry: e5
-- input { [1,2,3] } output { [1] [2,3] [1,2,3] }
-- ==
-- entry: e6
-- input { [1,4,6] [2,4] } output { [1,2,4,4,6] }
-- ==
-- entry: e7
-- input { [5,1,4,2] } output { [1,2,4,5] }
-- ==
-- entry: e8
-- input { 5 } output { 11 }
-- ==
-- entry: e9
-- input { 2 }
-- ==
-- entry: e10
-- input { [1,2] } output { [3,4] }
-- ==
-- entry: e11
-- input { [[1,2,3],[4,5,6]] [[1,0],[0,1],[1,1]] } output { [[4,5],[10,11]] [[1,2,3],[4,5,6],[5,7,9]] }
-- ==
-- entry: e12
-- input { 4i64 } output { [0i64,0i64,1i64,3i64] }
-- ==
-- entry: e13
-- input { true [1,2] } output { 2i64 }
-- ==
-- entry: e14
-- input { [true,false] } output { false true false true }
-- ==
-- entry: e15
-- input { -2.5 } output { -3.0 -2.0 -2.0 -2.0 -2 false }
-- ==
-- entry: e16
-- input { [49u8,50u8,32u8,51u8] } output { 123 }
-- ==
-- entry: e17
-- input { } output { [4,10,18] }
-- ==
-- entry: e18
-- input { 2 }
-- ==
-- entry: e19
-- input { [1,2] } output { 6 }
-- ==
-- entry: e20
-- input { -7 2 } output { -4 1 -3 -1 49 -14 -4 2147483644 0 -5 -5 7 6 }
