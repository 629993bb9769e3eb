-- Jacobians of the models of bench/ad: how far they are from differences, times 10^5, rounded.
import "../../bench/ad/models"

def near (k: f64) (m: i64) : [m]f64 = tabulate m (\i -> f64.sin (k + 1.37 * f64.i64 i))
def far [n] (xs: [n]f64) (ys: [n]f64) : i64 = i64.f64 (f64.round (1e5 * f64.maximum (map f64.abs (map2 (-) xs ys))))

-- The derivative of f at x in the direction d.
def along [n] [m] (f: [n]f64 -> [m]f64) (x: [n]f64) (d: [n]f64) : [m]f64 =
  let at h = f (map2 (\x d -> x + h * d) x d)
  in map2 (\a b -> (a - b) / 2e-6) (at 1e-6) (at (-1e-6))

-- ==
-- entry: bundle
-- input { } output { 0i64 }
entry bundle =
  let seen: [4](i64, i64, [2]f64) = [(0, 0, [0.1, 0.2]), (1, 0, [0.3, -0.1]), (0, 1, [0.5, 0.5]), (1, 2, [0.2, 0])]
  let parts (x: [35]f64): ([2][11]f64, [3][3]f64, [4]f64) =
    (unflatten (x[:22] :> [2 * 11]f64), unflatten (x[22:31] :> [3 * 3]f64), x[31:] :> [4]f64)
  let start = map2 (+) (near 1 35) (tabulate 35 (\i -> if i < 22 && i % 11 == 5 then -5 else 0))
  let d = near 2 35
  let by_rows [p] (rows: [p][2]([11]f64, [3]f64, f64)) (along: [p]([11]f64, [3]f64, f64)) =
    flatten (map2 (\two (c, x, w) -> map (\(a, b, e) -> dot a c + dot b x + e * w) two) rows along)
  let (cameras, xs, weights) = parts d
  let each = map2 (\(c, i, _) w -> (cameras[c], xs[i], w)) seen weights
  in far (by_rows (residual_rows seen (parts start)) each)
         (along (\x -> flatten (residuals seen (parts x))) start d)

-- ==
-- entry: hand
-- input { } output { 0i64 0i64 }
entry hand =
  let skin = tabulate_2d 6 15 (\v b -> if b % 6 == v then 0.4 else 0.04)
  let rest = tabulate_2d 6 3 (\v i -> 0.1 * f64.i64 v - 0.2 * f64.i64 i)
  let points = tabulate_2d 5 3 (\p i -> 0.3 * f64.i64 (p + i))
  let (shown, corners) = ([0, 2, 5, 3, 3], [[0, 1, 2], [5, 4, 3], [2, 2, 1], [3, 0, 5], [1, 1, 4]])
  let (pose, mix) = (near 1 26, map (\x -> [x, x * x]) (near 3 5))
  let (d, e) = (near 2 26, unflatten (near 4 (5 * 2)))
  let plain = distance_columns skin rest points shown pose
  let mixed = between_columns skin rest points corners (pose, mix)
  let weighted [p] (columns: [p][5][3]f64) (factors: [p]f64): [15]f64 =
    map f64.sum (transpose (map2 (\c f -> map (* f) (flatten c :> [15]f64)) columns factors))
  let by_mix = map2 (\(m: [2]f64) (c: ([3]f64, [3]f64)) -> map2 (\a b -> m[0] * a + m[1] * b) c.0 c.1) e (zip mixed[26] mixed[27])
  let g (x: [26]f64): [15]f64 = flatten (distances skin rest points shown x) :> [15]f64
  let h (x: [36]f64): [15]f64 =
    flatten (between skin rest points corners (x[:26], unflatten (x[26:] :> [5 * 2]f64))) :> [15]f64
  in ( far (weighted plain d) (along g pose d)
     , far (map2 (+) (weighted mixed[:26] d) (flatten by_mix :> [15]f64))
           (along h (pose ++ flatten mix :> [36]f64) (d ++ flatten e :> [36]f64))
     )

-- ==
-- entry: network
-- input { } output { 0i64 }
entry network =
  let sequence = tabulate_2d 4 3 (\t c -> f64.bool (t % 3 == c))
  let parts (x: [57]f64): ([2][4][3]f64, [2][4][3]f64, [3][3]f64) =
    (unflatten_3d (x[:24] :> [2 * 4 * 3]f64), unflatten_3d (x[24:48] :> [2 * 4 * 3]f64), unflatten (x[48:] :> [3 * 3]f64))
  let (start, d) = (near 1 57, near 2 57)
  let (dw, db, de) = parts d
  let (w, b, e) = vjp (loss sequence) (parts start) 1
  let total = dot (flatten_3d w) (flatten_3d dw) + dot (flatten_3d b) (flatten_3d db) + dot (flatten e) (flatten de)
  in far [total] (along (\x -> [loss sequence (parts x)]) start d)
