-- Streams, parsers and monoids as functions in records, folds and modules.
type^ stream 'a = {len: i64, at: i64 -> a}
def smap 'a 'b (f: a -> b) (s: stream a) : stream b = {len = s.len, at = s.at >-> f}
def szip 'a 'b (s: stream a) (t: stream b) : stream (a, b) = {len = i64.min s.len t.len, at = \i -> (s.at i, t.at i)}
def run 'a (s: stream a) : []a = tabulate s.len s.at
def of [n] 'a (xs: [n]a) : stream a = {len = n, at = \i -> xs[i]}
entry streams (xs: []i32) (ys: []i32) = run (smap (uncurry (+)) (szip (of xs) (smap (* 2) (of ys))))
type^ parser 'a = i64 -> (i64, a)
def bind 'a 'b (p: parser a) (f: a -> parser b) : parser b = \s -> let (s, a) = p s in f a s
def ret 'a (x: a) : parser a = \s -> (s, x)
def tick : parser i64 = \s -> (s + 1, s)
entry monad (x: i64) = (bind tick (\a -> bind tick (\b -> ret (a * 10 + b)))) x
def fold 'a 'b [n] (f: a -> b -> a) (z: a) (xs: [n]b) : a = loop z for x in xs do f z x
entry folds (xs: []i32) = (fold (+) 0 xs, fold (flip (-)) 0 xs, fold (\(a, b) x -> (b, a + x)) (0, 1) xs)
def twice 'a (f: a -> a) = f >-> f
entry tw (x: i32) = (twice >-> twice >-> twice) (+ 1) x
def compose_all 'a = \(fs: (a -> a, a -> a, a -> a)) -> fs.0 >-> fs.1 >-> fs.2
entry ca (x: i32) = compose_all ((+ 1), (* 2), (\y -> y - 3)) x
def nat_rec 'a (z: a) (s: i64 -> a -> a) (n: i64) : a = loop a = z for i < n do s i a
entry fact (n: i64) = nat_rec 1 (\i a -> a * (i + 1)) n
module type monoid = {type t val op : t -> t -> t val e : t}
module prod (A: monoid) (B: monoid) : monoid with t = (A.t, B.t) = {type t = (A.t, B.t) def op (a, b) (c, d) = (A.op a c, B.op b d) def e = (A.e, B.e)}
module addm : monoid with t = i32 = {type t = i32 def op = (i32.+) def e = 0i32}
module maxm : monoid with t = i32 = {type t = i32 def op = i32.max def e = i32.lowest}
module pm = prod addm (prod maxm addm)
entry pms (xs: []i32) = let (a, (b, c)) = reduce pm.op pm.e (map (\x -> (x, (x, 1))) xs) in (a, b, c)
entry scans [n] (xs: [n]i32) = let ys = scan pm.op pm.e (map (\x -> (x, (x, 1))) xs) in (map (.0) ys, map (.1.0) ys)

-- ==
-- entry: streams
-- input { [1,2,3] [4,5] } output { [9,12] }
-- ==
-- entry: monad
-- input { 3i64 } output { 5i64 34i64 }
-- ==
-- entry: folds
-- input { [1,2,3] } output { 6 2 3 4 }
-- ==
-- entry: tw
-- input { 0 } output { 8 }
-- ==
-- entry: ca
-- input { 5 } output { 9 }
-- ==
-- entry: fact
-- input { 5i64 } output { 120i64 }
-- ==
-- entry: pms
-- input { [1,5,3] } output { 9 5 3 }
-- ==
-- entry: scans
-- input { [1,5,3] } output { [1,6,9] [1,5,5] }
