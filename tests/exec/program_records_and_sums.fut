-- Optional values, shapes, states, monoids by modules, sorts by a given order: records and sums in loops and maps.
type opt 'a = #some a | #none
def from_opt 'a (d: a) (o: opt a) = match o case #some x -> x case #none -> d
def map_opt 'a 'b (f: a -> b) (o: opt a) : opt b = match o case #some x -> #some (f x) case #none -> #none
def find [n] 'a (p: a -> bool) (xs: [n]a) : opt a = loop r = #none for x in xs do match r case #some _ -> r case #none -> if p x then #some x else #none
entry s1 (xs: []i32) = find (> 3) xs |> map_opt (* 2) |> from_opt 0
type shape = #circle f32 | #rect {w: f32, h: f32} | #tri f32 f32 f32

def area (s: shape) : f32 =
  match s
  case #circle r -> f32.pi * r * r
  case #rect {w, h} -> w * h
  case #tri a b c -> let p = (a + b + c) / 2 in f32.sqrt (p * (p - a) * (p - b) * (p - c))

entry s2 (n: i64) = tabulate n (\i -> area (if i % 3 == 0 then #circle (f32.i64 i) else if i % 3 == 1 then #rect {w = 1, h = f32.i64 i} else #tri 3 4 5))
type tree = #leaf i32 | #node i32 i32
entry s3 = let ts: [3]tree = [#leaf 1, #node 2 3, #leaf 4] in map (\t -> match t case #leaf x -> x case #node a b -> a * b) ts
type state = {pos: (f32, f32), vel: (f32, f32), alive: bool}

def step (dt: f32) (s: state) : state =
  if !s.alive
  then s
  else let pos = (s.pos.0 + dt * s.vel.0, s.pos.1 + dt * s.vel.1)
       in s with pos = pos with alive = pos.1 >= 0 with vel.1 = s.vel.1 - 9.8 * dt

entry s4 (n: i32) (vs: []f32) =
  let ss = map (\v -> {pos = (0, 1), vel = (v, 2 * v), alive = true}) vs
  let out = iterate n (map (step 0.1)) ss in (map (.pos.0) out, map (.pos.1) out, map (.alive) out)

module type monoid = {type t val zero : t val plus : t -> t -> t}
module sum_i32 = {type t = i32 def zero = 0i32 def plus = (i32.+)}
module max_f32 = {type t = f32 def zero = f32.lowest def plus = f32.max}
module pairm (A: monoid) (B: monoid) = {type t = (A.t, B.t) def zero = (A.zero, B.zero) def plus ((a, b): t) ((c, d): t) = (A.plus a c, B.plus b d)}
module red (M: monoid) = {def red [n] (xs: [n]M.t) = reduce M.plus M.zero xs def sc [n] (xs: [n]M.t) = scan M.plus M.zero xs}
module pm = pairm sum_i32 max_f32
module r = red pm
entry s5 (xs: []i32) = r.red (map (\x -> (x, f32.i32 x)) xs)
entry s6 (xs: []i32) = r.sc (map (\x -> (x, f32.i32 x)) xs) |> unzip
type cmp = #lt | #eq | #gt
def compare (a: i32) (b: i32) : cmp = if a < b then #lt else if a == b then #eq else #gt
entry s7 (xs: []i32) (k: i32) = let c = map (compare k) xs in (map (\x -> x == #lt) c, map (\x -> match x case #lt -> -1 case #eq -> 0 case #gt -> 1i8) c)

def insertion_sort [n] 'a (leq: a -> a -> bool) (xs: [n]a) : *[n]a =
  loop xs = copy xs
  for i in 1..<n do
    (loop (xs, j) = (xs, i)
     while j > 0 && !(xs[j - 1] `leq` xs[j]) do
       let t = copy xs[j - 1]
       let u = copy xs[j]
       in (xs with [j - 1] = u with [j] = t, j - 1)).0

entry s8 (xs: []i32) = insertion_sort (<=) xs
entry s9 (xs: []f32) = insertion_sort (\(a, _) (b, _) -> a >= b) (zip xs (indices xs)) |> unzip
entry s10 [n] (xs: [n]i32) = let {lo, hi} = {lo = filter (< 3) xs, hi = filter (>= 3) xs} in (length lo, hi)
type~ bag = {items: []i32, n: i64}
def add (x: i32) (b: bag) : bag = {items = b.items ++ [x], n = b.n + 1}
entry s11 (xs: []i32) = (loop b = {items = [], n = 0} : bag for x in xs do add x b).n

-- ==
-- entry: s1
-- input { [1,5,7] } output { 10 }
-- input { [1,2] } output { 0 }
-- ==
-- entry: s2
-- input { 3i64 } output { [0f32, 1f32, 6f32] }
-- ==
-- entry: s3
-- input { } output { [1,6,4] }
-- ==
-- entry: s4
-- input { 5 [1f32, 0f32] }
-- ==
-- entry: s5
-- input { [1,4,2] } output { 7 4f32 }
-- ==
-- entry: s6
-- input { [1,4,2] } output { [1,5,7] [1f32,4f32,4f32] }
-- ==
-- entry: s7
-- input { [1,2,3] 2 } output { [false,false,true] [1i8,0i8,-1i8] }
-- ==
-- entry: s8
-- input { [3,1,2] } output { [1,2,3] }
-- ==
-- entry: s9
-- input { [3f32,1f32,2f32] } output { [3f32,2f32,1f32] [0i64,2i64,1i64] }
-- ==
-- entry: s10
-- input { [1,5,2,3] } output { 2i64 [5,3] }
-- ==
-- entry: s11
-- input { [1,5,2,3] } output { 4i64 }
