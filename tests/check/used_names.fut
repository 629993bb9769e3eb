-- Uses in sizes, types, modules, operators and sections, punned fields, loops without initial
-- values, and updates: nothing to warn of.
-- ==
-- input { [1, 2] } output { [4, 6] }
type pair 'a [n] = ([n]a, [n]a)
def sized (n: i64) (xs: [n + 1]i32) = i32.sum xs
def coerced (n: i64) (xs: []i32) = i32.sum (xs :> [n]i32)
def punned (a: i32) = let b = a in {a, b}
def operator (x: i32) = let (+^) (a: i32) (b: i32) = a + b in map (x +^) [x +^ 1]
def infix (x: i32) = let plus a b = a + b in x `plus` 1
def projected (r: {a: {b: i32}}) = r.a.b
def implicit (n: i64) (x: i32) = loop x for _i < n do x + 1
def updated (xs: *[]i32) = let xs[0] = 1 let xs[1] = 2 in xs
def dependent (f: (n: i64) -> [n]i32) = f 3
def existential (f: i32 -> ?[k].[k]i32) = length (f 1)
def opened (x: f32) = f32.(x + x)
def named = let [k] (xs: [k]i64) = iota 3 in (k, xs)
def matched (x: #a i32 | #b) = match x case #a y -> y case #b -> 0
module type holder = {type t 'a val hold 'a : a -> t a}
module applied (m: holder) = {def both 'a (x: a) : m.t a = m.hold x}
entry main (xs: []i32) = map (+ 1) (map (\x -> let (_, y) = (x, x) in y + x + 1) xs)
