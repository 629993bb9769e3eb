-- A function that another one returns names sizes from inside: existential for each of its results.

-- ==
-- entry: field element called
-- input { 7i64 } output { [5i32, 5i32, 5i32] }

def halved n =
  let parts = (n / 2, n)
  in \x -> replicate parts.0 x

entry field (n: i64) = halved n 5i32

def indexed n =
  let counts = [1, n / 2]
  in \x -> replicate counts[1] x

entry element (n: i64) = (indexed n) 5i32

def reduced (n: i64) = loop m = n while m > 3 do m / 2

def named n =
  let m = reduced n
  let fill x = replicate m x
  in fill

entry called (n: i64) = named n 5i32

-- The array beside it tells the size.
-- ==
-- entry: beside
-- input { 9i64 } output { [0i32, 0i32] [1i32, 1i32] 2i64 }

def both n =
  let m = reduced n
  in (\x -> replicate m x, replicate m 0i32)

entry beside (n: i64) =
  let (fill, zeros) = both n
  in (zeros, fill 1i32, length zeros)

-- ==
-- entry: nested
-- input { 6i64 } output { [0i64, 9i64, 18i64] }

def table n =
  let rows = reduced n
  in \k -> let columns = reduced k in \x -> tabulate_2d rows columns (\i j -> i * j * x)

entry nested (n: i64) =
  let make = table n
  in map (\x -> i64.sum (flatten (make 5 x))) (iota 3 |> map (3 *))
