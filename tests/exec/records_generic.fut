-- Type abbreviations with parameters, records of them in arrays.
-- tolerance: exact
-- ==
-- input { 10i32 }
-- output { [0i32, 11i32, 2i32] [0i32, 12i32, -2i32] [[1i32, 0i32, 0i32], [0i32, 1i32, 0i32], [0i32, 0i32, 1i32]] 100i32 13i32 }
type point 'a = {x: a, y: a}
type matrix [n] [m] 'a = [n][m]a
def mapPoint 'a 'b (f: a -> b) (p: point a) : point b = {x = f p.x, y = f p.y}
def ident (n: i64) : matrix [n] [n] i32 = tabulate_2d n n (\i j -> if i == j then 1 else 0)

entry main (k: i32) =
  let p = mapPoint (+ k) {x = 1, y = 2}
  let ps = map (\i -> mapPoint i32.i64 {x = i, y = -i}) (iota 3)
  let q = ps with [1] = p
  let q2 = p with x = 100
  in (map (.x) q, map (.y) q, ident 3, q2.x, (reduce (\a b -> {x = a.x + b.x, y = a.y * b.y}) {x = 0, y = 1} q).x)
