-- Derivatives of an implicit layer (Newton's method), Sinkhorn's transport, a Kalman filter.
def square (x: f64) = x * x

-- Root of y = tanh (w y + x) by Newton's steps.
def implicit (w: f64) (x: f64) =
  loop y = 0
  for _i < 20 do
    let t = f64.tanh (w * y + x)
    in y - (y - t) / (1 - w * (1 - square t))

entry newton (w: f64) (x: f64) : bool =
  let y = implicit w x
  let slope = 1 - y * y
  in f64.abs (vjp (implicit w) x 1 - slope / (1 - w * slope)) < 1e-12

def sinkhorn [n] (c: [n][n]f64) : f64 =
  let k = map (map (\x -> f64.exp (-x))) c
  let (u, v) =
    loop (u, v) = (replicate n 1f64, replicate n 1f64)
    for _i < 15 do
      let u = map (\row -> 1 / f64.sum (map2 (*) row v)) k
      let v = map (\col -> 1 / f64.sum (map2 (*) col u)) (transpose k)
      in (u, v)
  in f64.sum (map3 (\row ui ci -> ui * f64.sum (map3 (\a b cc -> a * b * cc) row v ci)) k u c)

entry transport [n] (c: [n][n]f64) : bool =
  let g = vjp sinkhorn c 1
  let d = tabulate_2d n n (\i j -> f64.i64 (i - 2 * j))
  let lhs = jvp sinkhorn c d
  let rhs = f64.sum (map2 (\a b -> f64.sum (map2 (*) a b)) g d)
  in f64.abs (lhs - rhs) < 1e-9 * (1 + f64.abs lhs)

def kalman [n] (q: f64) (zs: [n]f64) : f64 =
  (loop (m, p, l) = (0, 1, 0)
   for z in zs do
     let p = p + q
     let s = p + 0.5
     let e = z - m
     in (m + p / s * e, p * (1 - p / s), l + f64.log s + e * e / s)).2

entry noise [n] (q: f64) (zs: [n]f64) : bool =
  let h = 1e-5
  let a = vjp (\q -> kalman q zs) q 1
  let b = (kalman (q + h) zs - kalman (q - h) zs) / (2 * h)
  let hess = jvp (\q -> vjp (\q -> kalman q zs) q 1) q 1
  let hess2 = vjp (\q -> vjp (\q -> kalman q zs) q 1) q 1
  in f64.abs (a - b) < 1e-6 * (1 + f64.abs a) && f64.abs (hess - hess2) < 1e-9 * (1 + f64.abs hess)

-- ==
-- entry: newton
-- input { 0.5 0.3 } output { true }
-- input { -2.0 1.5 } output { true }
-- ==
-- entry: transport
-- input { [[0.1, 1.0, 2.0], [1.5, 0.2, 0.7], [0.3, 0.9, 0.4]] } output { true }
-- input { empty([0][0]f64) } output { true }
-- input { [[0.5]] } output { true }
-- ==
-- entry: noise
-- input { 0.3 [1.0, 0.5, -0.2, 0.7] } output { true }
-- input { 0.3 empty([0]f64) } output { true }
