-- Collatz, greatest common divisors, primes; small things of the prelude.
-- tolerance: exact
-- ==
-- input { 12i32 }
-- output { [0i32, 0i32, 1i32, 7i32, 2i32, 5i32, 8i32, 16i32, 3i32, 19i32] 12i32 [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64] [0i64, 0i64, 1i64, 3i64, 6i64] false true 12i32 0i64 }
def collatz (x: i32) : i32 = let (_, n) = loop (x, n) = (x, 0) while x > 1 do (if x % 2 == 0 then x / 2 else 3 * x + 1, n + 1) in n
def gcd (a: i32) (b: i32) : i32 = if b == 0 then a else gcd b (a % b)

def primes (n: i64) : []i64 =
  let (acc, _) =
    loop (acc, c) = ([], 2)
    while c < n + 1 do
      let c2 = if c < i64.f32 (f32.sqrt (f32.i64 (n + 1))) then c * c else n + 1
      let is = map (+ c) (iota (c2 - c))
      let fs = map (\i -> let xs = map (\p -> if i % p == 0 then 1 else 0) acc in if all (== 0) xs then 1i32 else 0) is
      let new = map (.0) (filter (\(_, f) -> f == 1) (zip is fs))
      in (acc ++ new, c2)
  in acc

entry main (n: i32) = (map collatz (map i32.i64 (iota 10)), gcd 48 n, primes 30, exscan (+) 0 (iota 5), and [true, false], or [true, false], n, #[unsafe] (iota 3)[i64.i32 (n % 3)])
