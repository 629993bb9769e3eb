"""Whole entries: nests that are irregular, arrays inside of cells, of records and of sums, and code that may fail.
The holes are those of vectors.py; all are entries `(k: i64) (xss: [][]T)`."""

ENTRIES = [
    # arrays inside of cells, updated by data
    "entry @ [n][m] (k: i64) (xss: [n][m]<I>) = map (\\xs -> let h = loop h = replicate 7 0i32 for x in xs do let b = i64.abs (i64.<I> x %% 7) in h with [b] = h[b] + 1 in (h, i32.maximum h)) xss |> unzip",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map (\\xs -> let g = loop g = replicate 3 (replicate 4 <ne>) for i < m do let x = xs[i] in g with [i % 3, (i + k %% 4) % 4] = <E x> in map (reduce <op> <ne>) (transpose g)) xss",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map (\\xs -> let a = copy xs let b = replicate m <ne> let (a, b) = loop (a, b) for i < 4i32 do (b, map2 (\\x y -> <E x y>) a b) in (a, reduce <op> <ne> b)) xss |> unzip",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map (\\xs -> let ys = loop ys = xs while length ys > 2 do let h = length ys / 2 in map2 (\\x y -> <E x y>) (sized h ys[:h]) (sized h ys[length ys - h:]) in reduce <op> <ne> ys) xss",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map (\\xs -> let ys = filter (\\x -> <B x>) xs let zs = scan <op> <ne> ys in (length zs, if null zs then <ne> else last zs)) xss |> unzip",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map2 (\\xs i -> let c = i % 4 in reduce <op> <ne> (map (\\j -> let x = xs[j %% i64.max 1 m] in <E x>) (if m == 0 then iota 0 else iota c))) xss (iota n)",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map2 (\\xs i -> let tri = map (\\r -> reduce <op> <ne> (xs[:i64.min m r])) (iota (i % 5)) in (length tri, reduce <op> <ne> tri)) xss (iota n)",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map (\\xs -> let (ps, qs) = partition (\\x -> <B x>) xs in sized m (ps ++ qs)) xss",
    # scans and histograms whose elements are arrays, tuples, records
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = reduce (map2 (\\x y -> x `<bop>` y)) (replicate m <ne>) xss",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = reduce_by_index (replicate 3 (replicate m <ne>)) (map2 (\\x y -> x `<bop>` y)) (replicate m <ne>) (map (\\i -> (i + k) %% 4 - 1) (iota n)) xss",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map (\\xs -> scan (\\(a, i) (b, j) -> if a < b || (a == b && i < j) then (b, j) else (a, i)) (<T>.lowest, -1) (zip xs (iota m))) xss |> map unzip |> unzip",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = scan (\\a b -> {lo = map2 <T>.min a.lo b.lo, hi = map2 <T>.max a.hi b.hi}) {lo = replicate m <T>.highest, hi = replicate m <T>.lowest} (map (\\xs -> {lo = xs, hi = map (\\x -> <E x>) xs}) xss) |> map (\\r -> (r.lo, r.hi)) |> unzip",
    "entry @ [n][m] (k: i64) (xss: [n][m]<I>) = reduce (\\a b -> map2 (map2 (^)) a b) (replicate 2 (replicate 2 0)) (map (\\xs -> let s = <I>.sum xs in [[s, s + 1], [s * 2, s]]) xss)",
    "entry @ [n][m] (k: i64) (xss: [n][m]<I>) = scan (\\a b -> map (\\r -> map (\\c -> <I>.sum (map2 (*) r c)) (transpose b)) a) [[1, 0], [0, 1]] (map (\\xs -> [[<I>.sum xs, 1], [1, 0]]) xss)",
    "entry @ [n][m] (k: i64) (xss: [n][m]<I>) = hist (\\(a, b) (c, d) -> (a + c, b ^ d)) (0, 0) 5 (map (\\x -> i64.abs (i64.<I> x %% 6)) (flatten xss)) (zip (flatten xss) (reverse (flatten xss))) |> unzip",
    # scatters in loops and cells
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = loop ys = replicate (n + m) <ne> for i < n do scatter ys (map (\\j -> j + i - 1) (iota m)) (map2 (\\x j -> let y = ys[(i + j) % (n + m)] in <E x y>) xss[i] (iota m))",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map (\\xs -> scatter (replicate m <ne>) (map (\\i -> if m == 0 then 0 else (i * (2 * k + 1) + 1) %% m) (iota m) |> \\is -> if m % 2 == 0 && m % 3 != 0 && k %% 3 == 0 then is else iota m) xs) xss",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = scatter_2d (replicate m (replicate n <ne>)) (flatten (map (\\i -> map (\\j -> (j, i)) (iota m)) (iota n))) (flatten xss)",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = let ys = copy xss let ys[:, ::2] = map (map (\\x -> <E x>)) xss[:, ::2] in ys[::-1]",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = let w = i64.min n m let sq = xss[:w, :w] in map (\\i -> sq[i, i]) (iota w) ++ flatten (transpose sq)[::w + 1]",
    # records and sums that hold arrays
    "type t@ [m] = {row: [m]<T>, tag: #keep | #turn | #drop i64}\nentry @ [n][m] (k: i64) (xss: [n][m]<T>) =\n  let ts = map2 (\\row i -> {row, tag = if i % 3 == 0 then #keep else if i % 3 == 1 then #turn else #drop i} : t@ [m]) xss (iota n)\n  in map (\\t -> match t.tag case #keep -> t.row case #turn -> reverse t.row case #drop i -> map (\\x -> if i > 3 then <ne> else <E x>) t.row) ts",
    "type l@ [m] = #row [m]<T> | #same <T> | #empty\nentry @ [n][m] (k: i64) (xss: [n][m]<T>) =\n  let ls: [n](l@ [m]) = map (\\xs -> if m > 0 && all (== xs[0]) xs then #same xs[0] else if m == 0 then #empty else #row xs) xss\n  in map (\\l -> match l case #row xs -> reduce <op> <ne> xs case #same x -> <E x> case #empty -> <ne>) ls",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = let rs = map (\\xs -> (xs, {s = reduce <op> <ne> xs, at = k})) xss let rs = loop rs for i < n do rs with [i].1.s = (rs[n - 1 - i]).1.s in (map (.0) rs, map (\\r -> r.1.s) rs, map (\\r -> r.1.at) rs)",
    # code that may fail: the same failure on every engine
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map (\\xs -> xs[k]) xss",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map2 (\\xs i -> xs[i * (k %% 3)]) xss (iota n)",
    "entry @ [n][m] (k: i64) (xss: [n][m]<I>) = map (map (\\x -> <c> / (x %% 16) + x)) xss",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map (\\xs -> let s = reduce <op> <ne> xs in assert (<B s>) s) xss",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map (\\i -> xss[i, 0:k %% 6]) (iota n) |> map (reduce <op> <ne>)",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = (xss[:, k %% 5:m - 1:k %% 3 - 1], length xss[k %% 4:])",
    "entry @ [n][m] (k: i64) (xss: [n][m]<I>) = map (\\xs -> loop acc = 0 for x in xs do if x == <c> then acc + xs[i64.<I> x] else acc * x + 1) xss",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = let ys = replicate (k %% 9 - 2) xss[0, 0] in (ys, (flatten xss)[length ys:])",
    "entry @ [n][m] (k: i64) (xss: [n][m]<I>) = map2 (\\xs i -> loop ys = copy xs for x in xs do ys with [i64.<I> (x %% 9)] = x + <I>.i64 i) xss (iota n)",
    "entry @ [n][m] (k: i64) (xss: [n][m]<I>) = map (\\xs -> (2 ** (xs[0] %% 9)) + <I>.sum xs) xss",
    # three dimensions, turned and cut
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = let c = tabulate_3d 2 n m (\\a i j -> if a == 0 then xss[i, j] else let x = xss[n - 1 - i, j] in <E x>) in map transpose (transpose c) |> map (map (\\v -> reduce <op> <ne> v))",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = let c = tabulate_3d n 3 m (\\i a j -> let x = xss[i, j] let y = xss[(i + a) % n, j] in <E x y>) in (flatten_3d c, map (map (reduce <op> <ne>)) c, map (\\p -> map (scan <op> <ne>) (transpose p)) c)",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map (\\xs -> map (\\x -> map (\\y -> <E x y>) xs |> scan <op> <ne>) xs |> transpose) xss",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map (\\xs -> map (\\x -> (loop (y, i) = (x, 0i32) while i < 5 && <BE y> do (<E y x>, i + 1)).0) xs |> reduce <op> <ne>) xss",
    # windows and paddings
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = map (\\xs -> map (reduce <op> <ne>) (slide_1d 3 1 (pad_1d 1 1 #mirror xs))) xss",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = stencil_2d_with (#wrap, #constant <c>) [(0, 0), (-1, 1), (k %% 3, -2)] (\\c ns -> reduce <op> c ns) xss xss",
    # conditions that whole arrays depend on
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = if k % 2 == 0 then map (reduce <op> <ne>) xss else if k % 3 == 0 then map2 (\\xs i -> xs[i %% m]) xss (iota n) else replicate n <c>",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = let (a, b) = if n > m then (xss, map (\\xs -> reverse xs) xss) else (map (map (\\x -> <E x>)) xss, copy xss) in loop (a, b) for i < k %% 4 do if i == 1 then (b, a) else (map2 (map2 (\\x y -> <E x y>)) a b, b)",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = let f = if k > 0 then 1i64 else 2 let step g = \\xs -> map g (rotate f xs) in map (step (\\x -> <E x>) >-> step (`<bop>` <c>)) xss",
    "def up@ [n] (d: i64) (xs: [n]<T>): <T> = if d <= 0 || n == 0 then <ne> else let x = xs[d % n] in <E x> `<bop>` up@ (d - 1) xs\nentry @ [n][m] (k: i64) (xss: [n][m]<T>) = map2 (\\xs i -> up@ (i % 6) xs) xss (iota n)",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = #[unsafe] map (\\xs -> #[sequential] reduce <op> <ne> (#[noinline] map (\\x -> <E x>) xs)) xss",
    "entry @ [n][m] (k: i64) (xss: [n][m]<I>) = let fs = [0i64, 1, 2] in map (\\xs -> map (\\f -> match f case 0 -> <I>.sum xs case 1 -> <I>.product xs case _ -> <I>.maximum xs) fs) xss",
    "entry @ [n][m] (k: i64) (xss: [n][m]<T>) = let ends = scan (+) 0 (map (\\xs -> i64.bool (m > 0 && <B0 xs[0]>)) xss) in (ends, map (\\e -> filter (== e) ends |> length) (iota 4))",
    # parameters and results that are records, sums, arrays of them
    "entry @ [n] (r: {at: i64, row: [n]<T>, on: bool}) = if r.on then r with row = map (\\x -> <E x>) r.row else r with at = r.at + n",
    "entry @ [n] (ps: [n](<T>, bool)) = let (xs, on) = unzip ps let ys = map2 (\\x b -> if b then <E x> else x) xs on in (zip3 ys on (reverse xs), map (.0) ps)",
    "entry @ (s: #none | #one <T> | #two <T> <T>): (#none | #one <T> | #two <T> <T>) = match s case #none -> #one <c> case #one x -> #two x (<E x>) case #two x y -> if x < y then #one (<E x y>) else #none",
    "entry @ [n] (ss: [n](#none | #one <T> | #two <T> <T>)) = let value s = match s case #none -> <ne> case #one x -> <E x> case #two x y -> <E x y> in (map value ss, filter (\\s -> s != #none) ss |> map (\\s -> match s case #two x _ -> #one x case t -> t))",
    "entry @ [n] (rs: [n]{x: <T>, v: (<T>, i64)}) = let rs = map (\\r -> r with v.0 = (let x = r.x let y = r.v.0 in <E x y>)) rs let rs = loop rs = copy rs for i < n / 2 do (rs with [i] = copy rs[n - 1 - i]) with [n - 1 - i].x = <c> in (rs, map (\\r -> r.v.1) rs)",
    "entry @ [n] (xs: [n]<T>) (f: #add | #keep | #turn i64) = match f case #add -> scan <op> <ne> xs case #keep -> xs case #turn k -> rotate k xs",
    "entry @ (a: bool) (b: i8) (c: u64) (x: <T>) = (a && b > 0, [u8.i8 b, u8.u64 c], (x, {b, c}), if a then [x] else [x, <E x>])",
    "entry @ [n] (xs: [n](i16, u8)) (ys: *[n]<T>) = let ys = loop ys for i < n do if xs[i].0 < 0 then ys with [i] = (let x = ys[n - 1 - i] in <E x>) else ys in (ys, map (\\(a, b) -> a * i16.u8 b) xs |> i16.sum)",
]
