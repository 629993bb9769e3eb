-- Types of every form, and where each may stand without parentheses.
-- ==
-- input { [1, 2, 3] } output { [1, 2, 3] 3i64 [2] 6 [1, 2] 4 }
type~ hidden 'a = ?[n].[n]a
type^ step 'a = a -> a
type grid [n] [m] 'a = [n][m](a, a)
type mixed = {0: i32, 1: (), name: [2]i32}
def id [n] (xs: [n]i32): *[n]i32 = copy xs
def size [n] 'a (_: [n]a): i64 = n
def evens [n] (xs: [n]i32): ?[k].[k]i32 = filter (\x -> x % 2 == 0) xs
def fold 'a '~b (f: (x: a) -> (y: b) -> a) (ne: a) (y: b): a = f ne y
def apply '^t (f: t -> i32) (x: t): i32 = f x
def main (xs: []i32) =
  let g: grid [1] [1] i32 = [[(4, 5)]]
  let s: step i32 = \x -> x + 1
  let h: hidden i32 = evens xs
  let r: mixed = {0 = 1, 1 = (), name = [1, 2]}
  in (id xs, size xs, h, fold (\(x: i32) y -> x + s y) 0 5, r.name, apply (\f -> f 0) (+ g[0, 0].0))
