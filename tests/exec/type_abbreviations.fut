-- Type abbreviations: sizes and types in any order, partly given, lifted ones.
-- tolerance: exact
-- ==
-- input { 2i64 } output { 2i64 4i64 [true, true] 6i64 }
type mat 'a [n] [m] = [n][m]a
type both [k] 'a 'b = ([k]a, [k]b)
type wrap 'a = {x: a}
type deep [n] 'a = wrap (both [n] a (wrap bool))
type~ some 'a = []a
type~ list = {items: some i32, count: i64}
type^ pred 'a = a -> bool
type op 'a = {ne: a, tag: i32}
def rows [n] [m] 'a (_: mat a [n] [m]) : i64 = n
def cols (x: mat i32 [] []) = length x[0]
def fsts [n] 'a 'b ((xs, _): both [n] a b) : [n]a = xs
def mk (n: i64) : deep [n] i32 = {x = (replicate n 1i32, replicate n {x = true})}
def len (l: list) = l.count + length l.items
def check 'a (p: pred a) (x: a) = p x

def main (n: i64) =
  let m: mat i32 [n] [] = replicate n (replicate 4 0)
  let d = mk n
  in (rows m, cols m, map (.x) (d.x).1, len {items = fsts d.x ++ [1], count = if check (> 2) n then 0 else 3})
