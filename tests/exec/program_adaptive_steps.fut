-- Adaptive Runge-Kutta (Bogacki-Shampine 3(2)) of a ring of coupled oscillators; steps are accepted or rejected.
-- tolerance: 1e-9
-- ==
-- input { 8i64 2.0 }
-- output { [0.5953915574325974f64, 0.6563699422658816f64, 0.8204979965764417f64, 1.0126147172322737f64, 1.18417839171223f64, 1.2687523250103319f64, 1.1687145031571333f64, 0.750906309187368f64] 25i32 2i32 }
type state [n] = {t: f64, h: f64, y: [n]f64, accepted: i32, rejected: i32}

def deriv [n] (y: [n]f64) : [n]f64 =
  tabulate n (\i ->
                let l = y[(i + n - 1) % n]
                let r = y[(i + 1) % n]
                in f64.sin (l - y[i]) + f64.sin (r - y[i]) + 0.1 * f64.i64 (i % 7))

def axpy [n] (a: f64) (x: [n]f64) (y: [n]f64) : [n]f64 = map2 (\x y -> a * x + y) x y

def norm [n] (x: [n]f64) : f64 = f64.sqrt (f64.sum (map (\v -> v * v) x) / f64.i64 n)

def step [n] (tol: f64) (s: state [n]) : state [n] =
  let k1 = deriv s.y
  let k2 = deriv (axpy (s.h / 2) k1 s.y)
  let k3 = deriv (axpy (3 * s.h / 4) k2 s.y)
  let y3 = map4 (\y a b c -> y + s.h * (2 * a + 3 * b + 4 * c) / 9) s.y k1 k2 k3
  let k4 = deriv y3
  let err = norm (map4 (\a b c d -> s.h * (-5 * a / 72 + b / 12 + c / 9 - d / 8)) k1 k2 k3 k4)
  let factor = f64.min 4 (f64.max 0.2 (0.9 * (tol / (err + 1e-300)) ** (1 / 3)))
  in if err <= tol
     then {t = s.t + s.h, h = s.h * factor, y = y3, accepted = s.accepted + 1, rejected = s.rejected}
     else s with h = s.h * factor with rejected = s.rejected + 1

entry main (n: i64) (t_end: f64) : ([n]f64, i32, i32) =
  let y0 = tabulate n (\i -> f64.i64 ((i * 37) % 101) / 101)
  let s =
    loop s = {t = 0, h = 0.5, y = y0, accepted = 0, rejected = 0}
    while s.t < t_end do
      step 1e-5 (s with h = f64.min s.h (t_end - s.t))
  in (s.y, s.accepted, s.rejected)
