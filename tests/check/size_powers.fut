-- Sizes that grow with each name or call are followed only so far.
-- ==
-- input { 2i64 }
-- output { [5i64, 8i64, 256i64, 1i64, 256i64] }
def power (a: i64) = replicate (a * a * a * a * a * a * a * a) 0i32

def declared (a: i64) : [a * a * a * a * a * a * a * a]i32 =
  replicate (a * a * a * a * a * a * a * a) 0

def sums (a: i64) (b: i64) (c: i64) (d: i64) (e: i64) (f: i64) (g: i64) (h: i64) =
  let xs = power (a + b + c + d + e + f + g + h)
  let ys = declared (a + b + c + d + e + f + g + h)
  in (length (map (+ 1) xs) + length ys) / 2

def squares (n: i64) (m: i64) =
  let a = n + m
  let b = a * a
  let c = b * b
  let d = c * c
  let e = d * d
  let f = e * e
  let g = f * f
  let h = g * g
  let i = h * h
  let j = i * i
  let k = j * j
  let l = k * k
  in (length (map (+ 1) (iota (l - l + 5))), map (+ 1) (iota l))

def cubes (n: i64) =
  let a = n * n
  let b = a * a
  let c = b * b
  in (iota c, map (+ 1) (iota c))

def main (n: i64) =
  let (five, ones) = squares (n - 1) 0
  let (xs, ys) = cubes n
  in [ five
     , length (power 1) + 7 * length ones
     , length (map2 (+) xs ys)
     , sums 1 0 0 0 0 0 0 0
     , length ys
     ]
