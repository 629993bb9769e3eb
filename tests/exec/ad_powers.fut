-- Derivatives of `x ** 0.5` and `x ** (-1)` are those that one root or division gives, to the bit, and no other power:
-- gradients took 17 times the function. Mixed second derivatives are those of any power.
-- tolerance: exact
-- ==
-- entry: roots
-- input { [0f64, -0f64, 1.1f64, 3.3f64, 7.7f64, 1e-300f64, 5e-324f64, 1e300f64, f64.inf, -f64.inf, -2f64, f64.nan] }
-- output { true [0f64, 0f64, 0.4767312946227961f64, 0.27524094128159016f64, 0.1801874925391118f64, 5e149f64, 2.2494568972715982e161f64, 5e-151f64, 0f64, 0f64, f64.nan, f64.nan] }
-- ==
-- entry: many
-- input { 1000i64 }
-- output { true true true }
-- ==
-- entry: inverses
-- input { [0f64, 1.1f64, -3.3f64, 7.7f64, 1e-100f64, 1e-200f64, 1e100f64, f64.inf, -f64.inf, f64.nan] }
-- output { true }
-- ==
-- entry: singles
-- input { [0f32, 1.1f32, 3.3f32, 7.7f32, 1e-30f32, 1e30f32, f32.inf, f32.nan] }
-- output { true }
-- ==
-- entry: second
-- input { [0.5f64, 1.1f64, 3.3f64] }
-- output { [[true, true], [true, true], [true, true], [true, true]] }

def same (a: f64) (b: f64) = a == b || (f64.isnan a && f64.isnan b)
def guarded (x: f64) (y: f64) : f64 = if x == 0 then 0 else y

entry roots [n] (xs: [n]f64) : (bool, [n]f64) =
  let forward = map (\x -> jvp (** 0.5) x 1) xs
  let reverse = map (\x -> vjp (** 0.5) x 1) xs
  in ( and (map3 (\a b x -> same a b && (x == f64.inf || x == -f64.inf || same a (guarded x (0.5 / f64.sqrt x)))) forward reverse xs)
     , forward
     )

entry many (n: i64) =
  let xs = tabulate n (\i -> 0.01 + f64.i64 i / 7)
  let ys = map f32.f64 xs
  in ( all (\x -> vjp (** 0.5) x 1 == 0.5 / f64.sqrt x) xs
     , all (\x -> vjp (** (-1)) x 1 == -1 / (x * x)) xs
     , all (\x -> vjp (** 0.5) x 1 == 0.5 / f32.sqrt x && vjp (** (-1)) x 1 == -1 / (x * x)) ys
     )

entry inverses [n] (xs: [n]f64) : bool =
  let forward = map (\x -> jvp (** (-1)) x 1) xs
  let reverse = map (\x -> vjp (** (-1)) x 1) xs
  in and (map3 (\a b x -> same a b && same a (guarded x (-1 / (x * x)))) forward reverse xs)

entry singles [n] (xs: [n]f32) : bool =
  let same (a: f32) b = a == b || (f32.isnan a && f32.isnan b)
  let guarded x (y: f32) = if x == 0 then 0 else y
  in all (\x ->
            same (vjp (** 0.5) x 1) (guarded x (0.5 / f32.sqrt x))
            && same (jvp (** (-1)) x 1) (guarded x (-1 / (x * x))))
         xs

-- By x twice; by x, then the exponent, also where the exponent is known to be none of the few.
entry second [n] (xs: [n]f64) =
  let near (a: f64) b = f64.abs (a - b) <= 1e-14 * (1 + f64.abs b)
  let twice y x = jvp (\x -> vjp (** y) x 1) x 1
  let mixed y x = jvp (\y -> vjp (** y) x 1) y 1
  let right y = [all (\x -> near (twice y x) (y * (y - 1) * x ** (y - 2))) xs, all (\x -> near (mixed y x) (x ** (y - 1) * (1 + y * f64.log x))) xs]
  in [right 0.5, right (-1), right 1.5, right 2]
