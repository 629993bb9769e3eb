-- Cells that record as many steps as only they know. On the CPU a block of them counts first.
def forward [n] (f: f64 -> f64) (xs: [n]f64) = map (\x -> jvp f x 1) xs
def reverse [n] (f: f64 -> f64) (xs: [n]f64) = vjp (map f) xs (replicate n 1)

def agree [n] (f: f64 -> f64) (xs: [n]f64) =
  all (\(a, b) -> f64.abs (a - b) <= 1e-9 * (1 + f64.abs a)) (zip (forward f xs) (reverse f xs))

def points (n: i64) = tabulate n (\i -> 0.3 + f64.i64 (i * 37 % 101) / 40)
def grown (x: f64) = loop y = x while y < 9 do y * 1.1 + 0.1 * x / (1 + y * y) + 0.01

-- ==
-- entry: until twice inside bounded pairs read arms
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 7i64 } output { true }
-- input { 1003i64 } output { true }

-- Some cells take no step.
entry until (n: i64) = agree grown (map (\x -> x * 4) (points n))

-- The second loop goes on from the first one's result.
entry twice (n: i64) =
  agree (\x -> let y = grown x in loop z = y while z > x / 8 do z * 0.8 - 0.01 / (1 + z * x)) (points n)

-- A record in each step of another loop.
entry inside (n: i64) = agree (\x -> loop s = x for _i < 3i64 do 0.2 * grown (s * s)) (points n)

entry bounded (n: i64) =
  agree (\x -> loop y = x for i < i64.f64 (x * 10) do f64.sin (y * x) + 0.1 * f64.i64 i) (points n)

-- Two records, and the count in the result.
entry pairs (n: i64) =
  let f x =
    let (y, z, k) = loop (y, z, k) = (x, 1, 0) while y < 6 do (y + 0.3 * z, z * x + 0.5, k + 1)
    in y * z * f64.i64 k
  in agree f (map (+ 0.3) (points n))

-- Conditions that read an array, behind a check of the index.
entry read (n: i64) =
  let most = map (* 3) (points n)
  let f (i: i64) (x: f64) = loop y = x while y < most[i] do y * 1.2 + 0.1 * y * x
  let once = vjp (\xs -> map2 f (iota n) xs) (points n) (replicate n 1)
  let ones = map2 (\i x -> jvp (f i) x 1) (iota n) (points n)
  in all (\(a, b) -> f64.abs (a - b) <= 1e-9 * (1 + f64.abs a)) (zip once ones)

entry arms (n: i64) = agree (\x -> if x < 1.5 then grown x else x * x) (points n)

-- Records without room for two cells at once.
-- ==
-- entry: long
-- input { 2i64 1100000i64 } output { true }
entry long (n: i64) (k: i64) =
  let f x =
    let (a, _, _, _, _) =
      loop (a, b, c, d, i) = (x, x, x, x, 0)
      while i < k do
        (0.5 * a * b, x / (1 + c), 0.5 + c * d, 0.1 * a, i + 1)
    in a
  in agree f (points n)
