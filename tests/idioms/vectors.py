"""Functions as people write them, with holes. `@` is the name, `<T>` an element type; `<E x y>` a scalar
expression of these names, `<B x>` a condition, `<op>` and `<ne>` a monoid on integers, `<c>` a small number.
All take `(k: i64)`, a number from 0 to 6, and an array."""

# [n]T -> [n]T
SAME = [
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> = map (\\x -> <E x>) xs",
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> = map2 (\\x y -> <E x y>) xs (rotate k xs)",
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> = scan <op> <ne> xs |> map (\\x -> <E x>)",
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> =\n  let excl = rotate (-1) (scan <op> <ne> xs) with [0] = <ne>\n  in if n == 0 then xs else map2 (\\x y -> <E x y>) excl xs",
    # segmented scan by hand, flags from the values
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> =\n  let flags = map (\\x -> <B x>) xs\n  in scan (\\(f1, v1) (f2, v2) -> (f1 || f2, if f2 then v2 else v1 `<bop>` v2)) (false, <ne>) (zip flags xs) |> map (.1)",
    # sort: odd-even transposition with a loop
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> =\n  loop ys = xs for i < n do\n    map (\\j -> let p = if (i + j) % 2 == 0 then j + 1 else j - 1\n               in if p < 0 || p >= n then ys[j] else if j < p then <T>.min ys[j] ys[p] else <T>.max ys[j] ys[p]) (iota n)",
    # insertion sort in place
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> =\n  loop ys = copy xs for i < n do\n    let (zs, _) = loop (zs, j) = (ys, i) while j > 0 && zs[j - 1] > zs[j] do\n      let a = zs[j - 1]\n      let b = zs[j]\n      let zs[j - 1] = b\n      let zs[j] = a\n      in (zs, j - 1)\n    in zs",
    # radix sort, one bit a step
    "def @ [n] (k: i64) (xs: [n]<I>): [n]<I> =\n  loop ys = xs for b < 4i32 do\n    let bits = map (\\x -> i64.<I> ((x >> <I>.i32 b) & 1)) ys\n    let zeros = map (1 -) bits\n    let before = scan (+) 0 zeros\n    let total = if n == 0 then 0 else before[n - 1]\n    let ones = scan (+) 0 bits\n    let to = map3 (\\b z o -> if b == 0 then z - 1 else total + o - 1) bits before ones\n    in scatter (copy ys) to ys",
    # counting by histogram, each element's count
    "def @ [n] (k: i64) (xs: [n]<I>): [n]<I> =\n  let m = k + 3\n  let bin x = i64.<I> x %% m |> i64.abs\n  let counts = reduce_by_index (replicate m <I>.(i32 0)) (+) <I>.(i32 0) (map bin xs) (rep <I>.(i32 1))\n  in map (\\x -> counts[bin x]) xs",
    # histogram of pairs: the last with the greatest key
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> =\n  let better (a, i) (b, j) = if a < b || (a == b && i < j) then (b, j) else (a, i : i64)\n  let best = reduce_by_index (replicate (k + 1) (<T>.lowest, -1)) better (<T>.lowest, -1) (map (% (k + 1)) (iota n)) (zip xs (iota n))\n  in map (\\i -> best[i % (k + 1)].0) (iota n)",
    # stencil by clamped indices, some steps
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> =\n  let at ys i = ys[i64.max 0 (i64.min (n - 1) i)] : <T>\n  in loop ys = xs for _t < k do map (\\i -> let x = at ys (i - 1) let y = at ys i let z = at ys (i + 1) in <E x y z>) (iota n)",
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> = stencil_1d [-1, 0, 1] (\\c ns -> let a = ns[0] let b = ns[2] in <E a b c>) xs xs",
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> = stencil_1d_with #wrap [-2, k] (\\c ns -> let a = ns[0] let b = ns[1] in <E a b c>) xs xs",
    # permutations and slices
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> = sized n (reverse (take (i64.min k n) xs) ++ drop (i64.min k n) xs)",
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> = if n == 0 then xs else let ys = copy xs let ys[0:n:2] = map (\\x -> <E x>) xs[0:n:2] in ys",
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> = map2 (\\x y -> <E x y>) xs[::-1] xs",
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> =\n  let evens = xs[::2]\n  let odds = if n < 2 then [] else xs[1::2]\n  in sized n (evens ++ odds)",
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> = scatter (copy xs) (map (\\i -> i * (k + 1) - 2) (iota n)) (map (\\x -> <E x>) xs) |> map (\\x -> <E x>) |> \\ys -> if k == 0 then ys else xs",
    # records and sums in arrays
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> =\n  let points = map2 (\\x i -> {at = i, value = x, seen = <B x>}) xs (iota n)\n  let moved = map (\\p -> if p.seen then p with at = n - 1 - p.at else p with value = (let x = p.value in <E x>)) points\n  in map (\\p -> xs[p.at] `<bop>` p.value) moved",
    "type s@ = #none | #one <T> | #two <T> {y: <T>, far: bool}\ndef @ [n] (k: i64) (xs: [n]<T>): [n]<T> =\n  let pack (x: <T>) (i: i64): s@ = if i % 3 == 0 then #none else if i % 3 == 1 then #one (<E x>) else #two x {y = <E x>, far = <B x>}\n  let join (a: s@) (b: s@): <T> =\n    match (a, b)\n    case (#none, #none) -> <ne>\n    case (#one x, #two y {y = z, far = true}) -> <E x y z>\n    case (#two x {y, far = _}, _) -> <E x y>\n    case (_, #two x _) -> x\n    case (#one x, _) -> x\n    case (#none, #one y) -> y\n  let ps = map2 pack xs (iota n)\n  in map2 join ps (rotate 1 ps)",
    # a state machine over characters of the numbers
    "type m@ = #out | #word | #number\ndef @ [n] (k: i64) (xs: [n]<I>): [n]<I> =\n  let step (m: m@) (x: <I>): m@ =\n    match (m, x % 4) case (#out, 0) -> #word case (#word, 1) -> #number case (#number, _) -> #out case (s, 2) -> s case _ -> #out\n  let (ys, _) = loop (ys, m) = (copy xs, #out : m@) for i < n do\n    let m = step m xs[i]\n    in (ys with [i] = (match m case #out -> 0 case #word -> 1 case #number -> xs[i]), m)\n  in ys",
    # transitions composed by a scan of small tables
    "def @ [n] (k: i64) (xs: [n]<I>): [n]<I> =\n  let table (x: <I>): [3]i8 = if x % 3 == 0 then [1, 2, 0] else if x % 3 == 1 then [0, 0, 2] else [2, 1, 1]\n  let then (a: [3]i8) (b: [3]i8) = map (\\i -> b[i64.i8 i]) a\n  in map2 (\\t x -> <I>.i8 t[k % 3] `<bop>` x) (scan then' [0, 1, 2] (map table xs)) xs".replace("let then ", "let then' "),
    # affine maps as a monoid
    "def @ [n] (k: i64) (xs: [n]<I>): [n]<I> = map2 (\\x i -> (x | 1, <I>.i64 i)) xs (iota n) |> scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) |> map (\\(a, b) -> a ^ b)",
    # two by two matrices
    "type q@ = {a: <I>, b: <I>, c: <I>, d: <I>}\ndef @ [n] (k: i64) (xs: [n]<I>): [n]<I> =\n  let mul (p: q@) (q: q@): q@ = {a = p.a * q.a + p.b * q.c, b = p.a * q.b + p.b * q.d, c = p.c * q.a + p.d * q.c, d = p.c * q.b + p.d * q.d}\n  let one: q@ = {a = 1, b = 0, c = 0, d = 1}\n  in scan mul one (map (\\x -> {a = x, b = 1, c = 1, d = 0}) xs) |> map (\\q -> q.b + q.c)",
    # pointer jumping
    "def @ [n] (k: i64) (xs: [n]<I>): [n]<I> =\n  let parent = map2 (\\x i -> if i == 0 then 0 else i64.abs (i64.<I> x %% i)) xs (iota n)\n  let root = loop p = parent for _i < k do map (\\i -> p[i]) p\n  in map (\\r -> xs[r]) root",
    # sequential recurrences and early ends
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> =\n  let (ys, _) = loop (ys, acc) = (replicate n <ne>, <ne>) for i < n do\n    let x = xs[i]\n    let acc = <E x acc>\n    in (ys with [i] = acc, acc)\n  in ys",
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> = map (\\x0 -> (loop (x, i) = (x0, 0i64) while i < k && <B x> do (<E x>, i + 1)).0) xs",
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> =\n  map (\\i -> let window = map (\\j -> xs[(i + j) % n]) (iota 3)\n             let y = reduce <op> <ne> window\n             let x = xs[i]\n             in <E x y>) (iota n)",
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> = map (\\i -> let row = scan <op> <ne> (map (\\j -> xs[(i * j) % n]) (iota (k + 1))) in row[k / 2]) (iota n)",
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> =\n  map (\\x -> let st = replicate 5 x\n             let st = loop st for i < k do let a = st[i % 5] in st with [(i + 1) % 5] = <E a x>\n             in reduce <op> <ne> st) xs",
    # binary search of each element in the sorted array
    "def @ [n] (k: i64) (xs: [n]<I>): [n]<I> =\n  let sorted = scan <I>.max <I>.lowest xs\n  let find x = (loop (lo, hi) = (0, n) while lo < hi do\n    let mid = lo + (hi - lo) / 2\n    in if sorted[mid] < x then (mid + 1, hi) else (lo, mid)).0\n  in map (\\x -> <I>.i64 (find x)) xs",
    # a stack machine for each element
    "type i@ = #push <I> | #add | #dup | #swap\ndef @ [n] (k: i64) (xs: [n]<I>): [n]<I> =\n  let code: [5]i@ = [#push 3, #dup, #add, #swap, #add]\n  let run (x: <I>) =\n    let (st, sp) = loop (st, sp) = (replicate 8 x, 2i64) for ins in code do\n      match ins\n      case #push c -> (st with [sp] = c, sp + 1)\n      case #dup -> (st with [sp] = copy st[sp - 1], sp + 1)\n      case #add -> (st with [sp - 2] = st[sp - 2] + st[sp - 1], sp - 1)\n      case #swap -> let a = st[sp - 1] let b = st[sp - 2] in ((st with [sp - 1] = b) with [sp - 2] = a, sp)\n    in st[sp - 1] ^ <I>.i64 sp\n  in map run xs",
    # functions passed on
    "def twice@ 'a (f: a -> a) = f >-> f\ndef @ [n] (k: i64) (xs: [n]<T>): [n]<T> =\n  let f = if k > 2 then 1 else 2i32\n  let shift (c: <T>) = \\x -> <E x c>\n  in map (twice@ (shift <c>)) xs |> iterate f (map (shift <c>))",
    "def @ [n] (k: i64) (xs: [n]<T>): [n]<T> = xs |> map (\\x -> (x, <E x>)) |> unzip |> uncurry (map2 (\\x y -> <E x y>))",
]

# [n]T -> []T
OPEN = [
    "def @ [n] (k: i64) (xs: [n]<T>): []<T> = filter (\\x -> <B x>) xs",
    "def @ [n] (k: i64) (xs: [n]<T>): []<T> = let (a, b) = partition (\\x -> <B x>) xs in b ++ a ++ b",
    "def @ [n] (k: i64) (xs: [n]<T>): []<T> = loop ys = xs while length ys > k do ys[::2] |> drop 1 |> \\zs -> zs[::-1]",
    "def @ [n] (k: i64) (xs: [n]<T>): []<T> = loop ys = take (i64.min k n) xs for i < k do if i % 2 == 0 then ys ++ [<c>] else map (\\x -> <E x>) ys",
    # run lengths
    "def @ [n] (k: i64) (xs: [n]<T>): []<T> =\n  let first = map2 (\\i x -> i == 0 || xs[i - 1] != x) (iota n) xs\n  let at = filter (\\i -> first[i]) (iota n)\n  in map (\\i -> xs[i]) at",
    # each element some times
    "def @ [n] (k: i64) (xs: [n]<I>): []<I> =\n  let counts = map (\\x -> i64.abs (i64.<I> x %% (k + 1))) xs\n  let ends = scan (+) 0 counts\n  let total = if n == 0 then 0 else ends[n - 1]\n  let starts = map2 (-) ends counts\n  let marks = reduce_by_index (replicate total 0) i64.max 0 (map2 (\\s c -> if c == 0 then -1 else s) starts counts) (iota n)\n  in map (\\i -> xs[i]) (scan i64.max 0 marks)",
    "def @ [n] (k: i64) (xs: [n]<T>): []<T> = flatten (map (\\x -> replicate k x with [0] = <c>) (if k == 0 then [] else xs[:n / 2]))",
    "def @ [n] (k: i64) (xs: [n]<T>): []<T> =\n  let (ys, m) = loop (ys, m) = (replicate n <ne>, 0i64) for x in xs do if <B x> then (ys with [m] = x, m + 1) else (ys, m)\n  in ys[:m]",
    "def @ [n] (k: i64) (xs: [n]<I>): []<u8> = map (\\x -> let d = u8.<I> (x & 15) in if d < 10 then d + '0' else d + 'a' - 10) xs".replace("<u8>", "<I>").replace("map (\\x -> let d", "map (\\x -> <I>.u8 (let d").replace("'a' - 10)", "'a' - 10))"),
]

# [n]T -> T
TOTAL = [
    "def @ [n] (k: i64) (xs: [n]<T>): <T> = reduce <op> <ne> (map (\\x -> <E x>) xs)",
    "def @ [n] (k: i64) (xs: [n]<T>): <T> =\n  let (best, _) = reduce_comm (\\(a, i) (b, j) -> if a > b || (a == b && i <= j) then (a, i) else (b, j)) (<T>.lowest, i64.highest) (zip xs (iota n))\n  in best",
    "def @ [n] (k: i64) (xs: [n]<T>): <T> = loop acc = <ne> for x in xs do <E acc x>",
    "def @ [n] (k: i64) (xs: [n]<T>): <T> = foldl (\\acc x -> <E acc x>) <c> xs `<bop>` foldr (\\x acc -> <E acc x>) <c> (take (i64.min k n) xs)",
    "def @ [n] (k: i64) (xs: [n]<I>): <I> = map (\\i -> reduce <op> <ne> (map (\\j -> xs[i] ^ xs[j]) (iota n))) (iota n) |> reduce <op> <ne>",
    # longest run, a monoid of four parts
    "def @ [n] (k: i64) (xs: [n]<T>): i64 =\n  let op (a: {l: i64, r: i64, m: i64, n: i64}) (b: {l: i64, r: i64, m: i64, n: i64}) =\n    {l = if a.l == a.n then a.n + b.l else a.l, r = if b.r == b.n then b.n + a.r else b.r, m = i64.max (a.r + b.l) (i64.max a.m b.m), n = a.n + b.n}\n  in (reduce op {l = 0, r = 0, m = 0, n = 0} (map (\\x -> let v = i64.bool (<B x>) in {l = v, r = v, m = v, n = 1}) xs)).m",
    "def @ [n] (k: i64) (xs: [n]<T>): i64 = let found = map2 (\\x i -> if <B x> then i else n) xs (iota n) in i64.minimum found",
    "def @ [n] (k: i64) (xs: [n]<T>): bool = and (map (\\x -> <B x>) xs) || or (map2 (<) xs (rotate 1 xs))",
    # longest common subsequence with its reverse, by antidiagonals
    "def @ [n] (k: i64) (xs: [n]<T>): i64 =\n  let row prev x = (loop (row, left, diagonal) = (replicate n 0i64, 0, 0) for j < n do\n    let up = prev[j]\n    let here = if xs[n - 1 - j] == x then diagonal + 1 else i64.max up left\n    in (row with [j] = here, here, up)).0\n  let last = loop prev = replicate n 0i64 for x in xs do row prev x\n  in if n == 0 then 0 else last[n - 1]",
    "def @ [n] (k: i64) (xs: [n]<I>): i64 =\n  let steps (x: <I>) = (loop (y, c) = (u32.<I> x % 97 + 1, 0i64) while y != 1 && c < 50 do (if y % 2 == 0 then y / 2 else 3 * y + 1, c + 1)).1\n  in i64.sum (map steps xs)",
    "def gcd@ (a: i64) (b: i64): i64 = if b == 0 then a else gcd@ b (a % b)\ndef @ [n] (k: i64) (xs: [n]<I>): i64 = reduce gcd@ 0 (map (\\x -> i64.abs (i64.<I> x %% 1000)) xs)",
    "def @ [n] (k: i64) (xs: [n]<I>): i32 = xs |> map (\\x -> <I>.popc x - <I>.clz x) |> i32.sum",
]
