-- Many ways in which sizes come about, all of which check.
def s1 (n: i64) (m: i64) = let f (x: i64) = iota (n + x) in length (f m)
def s2 [n] (xs: [n]i64) = let k = xs[0] in (iota k, replicate k true)
def s3 [n] (xs: [n]i32) = let (a, b) = split xs : ([n / 2]i32, [n - n / 2]i32) in (a, b)
def s4 [n] 'a (xs: [n]a) : [n](i64, a) = zip (iota n) xs
def s5 (xs: []i32) = zip xs (indices xs)
def s6b [n] (xs: *[n]i32) = loop (ys: *[n]i32) = xs for i < n do ys with [i] = 0
def s7 [n] (xs: [n]i32) = let m = n - 1 in map2 (+) (xs[1:] :> [m]i32) (xs[:n - 1] :> [m]i32)
def s8 (n: i64) = let xs = replicate n 0 in xs ++ xs ++ xs
def s9 [n] [m] (xs: [n]i32) (ys: [m]i32) = map (\x -> map (\y -> x * y) ys) xs
def s10 [n] (xss: [n][n]i32) = map (\i -> xss[i, i]) (iota n)
def s11 [n] (xs: [n]i32) (p: i32 -> bool) = let (a, b) = partition p xs in a ++ b
def s12 (xs: []i32) = let n = length xs in map (\i -> xs[n - 1 - i]) (iota n)
def s13 (n: i64) (f: i64 -> i32) : [n]i32 = tabulate n f
def s14 [n] 'a (as: [n]a) (f: [n]a -> a) = f as
def s15 [n] [m] (a: [n][m]i32) = transpose (transpose a)
def s16 [n] [m] (a: [n][m]i32) : [n][m]i32 = unflatten (flatten a)
def s17 [n] (a: [n]i32) = unflatten (replicate (n * 3) 0i32) : [n][3]i32
def s18 (a: [6]i32) = (unflatten a : [2][3]i32)
def s19 (n: i64) = unflatten (iota (n * n)) : [n][n]i64
def s20 [n] (xs: [n]i32) = if n == 0 then [] else xs
def s21 [n] (xs: [n]i32) : []i32 = if n > 3 then xs[:3] else xs
def s23 [n] (xs: [n]f32) : {mean: f32, dev: [n]f32} = let m = f32.sum xs / f32.i64 n in {mean = m, dev = map (\x -> x - m) xs}
def s24 = let {mean, dev} = s23 [1, 2, 3] in (mean, length dev)
type stack [n] 'a = {size: i64, data: [n]a}
def push [n] 'a (s: *stack [n] a) (x: a) : *stack [n] a = {size = s.size + 1, data = s.data with [s.size] = x}
def mkstack 'a (n: i64) (d: a) : stack [n] a = {size = 0, data = replicate n d}
def usestack = let s = mkstack 10 0i32 let s = push s 3 in s.data[0]
def s25 [n] (t: [n](i32, i32)) = let (a, b) = unzip t in map2 (+) a b
def s26 (a: i64) (b: i64) (c: i64) : [a][b][c]i32 = replicate a (replicate b (replicate c 0))
def s27 [a] [b] [c] (x: [a][b][c]i32) = map (map i32.sum) x
def s28 [n] (xs: [n]i32) (i: i64) (j: i64) = xs[i:j]
def s29 [n] (xs: [n]i32) (i: i64) : [i]i32 = xs[0:i]
def s30 [n] (xs: [n]i32) (i: i64) : [n - i]i32 = xs[i:]
def s31 [n] (xs: [n]i32) = xs[::-1]
def s32 [n] (xs: [n]i32) = xs[::2]
def s33 [n] (xs: [n]i32) = let ys = xs[::-1] in map2 (+) xs ys
def s34 (n: i64) = map (\i -> (replicate n i)) (iota n)
def s35 (n: i64) = let m = n + 1 in map (\i -> replicate m i) (iota m)
def s36 [n] (xs: [n]i32) = scan (+) 0 xs |> last
def s37 (f: i64 -> i64) (n: i64) = iota (f n)
def s38 (n: i64) = length (s37 (+ 1) n)
def s39 = \(n: i64) -> iota n
def s40 (n: i64) = s39 n
def s41 [n] (xs: [n]i32) (ys: [n]i32) = xs == ys
def s43 [n] (as: [n]i64) = map (\a -> i64.sum (iota a)) as
def s44 [n] (as: [n]i64) = map (\a -> let xs = iota a in i64.sum (map (+ 1) xs)) as
def s45 [n] (as: [n]i64) = map (\a -> let xs = filter (> a) as in length xs) as
def s46 (n: i64) = loop acc = [] for i < n do acc ++ [i]
def s47 [n] (xs: [n]i32) = reduce_by_index (replicate n 0) (+) 0 (map i64.i32 xs) xs
def s48 (n: i64) (m: i64) (xs: [n]i32) (ys: [m]i32) = if n == m then map2 (+) xs (ys :> [n]i32) else xs
def s49 [n] (xs: [n]i32) = let f [m] (ys: [m]i32) = map2 (+) ys (rotate 1 ys) in f xs
def s50 [n] [m] (xs: [n][m]i32) = map (\r -> let (a, _) = (r[0], r) in a) xs
def s51 [n] (xs: [n](i64, i32)) = map (\(i, x) -> x + i32.i64 i) xs
def s52 't (xs: []t) (ys: []t) : []t = xs ++ ys
def s53 (xss: [][]i32) = let f xs = i32.sum xs in map f xss
def s54 (n: i64) = (\xs -> length xs) (iota n)
def s55 = map (\(n: i64) -> n) (iota 3)
def s56 [n] (xs: [n]i32) = map2 (\i x -> if i == 0 then x else xs[i - 1]) (iota n) xs
def s57 [n] 'a (f: (i64 -> a)) (xs: [n]i32) = map (\x -> f (i64.i32 x)) xs
def s58 (b: bool) = if b then #a [1, 2i32] else (#b : #a [2]i32 | #b)
def s59 [n] (xs: [n]i32) = loop (i, acc) = (0i64, 0i32) while i < n && acc < 10 do (i + 1, acc + xs[i])
def s60 = (\f -> f 1i32) (+ 2)
def s61 (x: i32) = let y = if x > 0 then (1, 2) else (3, x) in y.0 + y.1
def s62 [k] (is: [k](i64, i64)) (xs: *[][]i32) = loop xs for (i, j) in is do xs with [i, j] = 1
def s63 [n] (xs: [n]i32) = xs |> zip (iota n) |> map (\(i, x) -> i32.i64 i + x) |> i32.sum
def s64 (d: i64) = map (\i -> map (\j -> i * d + j) (0..<d)) (0..<d)
def s65 = [(1, [1, 2]), (2, [3, 4i32])]
def s66 (n: i64) = map (\x -> x.0 + x.1) (zip (iota n) (iota n))
def s67 f (x, y) = f x y
def s68 (x: i32) = x |> (+ 1) |> \y -> y * 2
def s69 [n] (xs: [n]i32) = (xs, n) |> \(ys, m) -> ys[m - 1]
def s70 [n] (xs: *[n]i32) (is: [n]i64) = scatter xs is (map i32.i64 is)
def s71 (n: i64) = let x = #[opaque] iota n in x[0]
def s72 (xs: [][2]i32) = map (\x -> x[0] + x[1]) xs
def s73 : (n: i64) -> [n]i64 = iota
def s74 : i64 -> i64 -> i64 = \x y -> x + y
def s75 (n: i64) : []i64 = let xs = iota n let ys = filter (> 2) xs in ys
def s76 (n: i64) = copy (iota n) with [0] = 1
def s77 = let x = 1 let y = x + 2i64 let (z, w) = (x, y) in z + w
def s78 (x: u8) = match x case 'a' -> 1i32 case 'b' -> 2 case _ -> 3
