-- Models of bench/ad, small. `halo test --derivatives` checks them; their Jacobians: tests/exec/ad_models.fut.
import "../../bench/ad/models"

def near [n] (xs: [n]f64) (k: f64) (m: i64) : [m]f64 =
  tabulate m (\i -> let x = xs[i % n] * (k + 0.37 * f64.i64 i) in f64.sin x)

-- ==
-- entry: bundle network
-- input { [0.3, -0.7, 1.1, 0.45, 0.9] }
entry bundle (xs: [5]f64) =
  let observed = [(0, 0, [0.1, 0.2]), (1, 0, [0.3, -0.1]), (0, 1, [0.5, 0.5]), (1, 2, [0.2, 0])]
  let camera k = map2 (+) [0, 0, 0, 0, 0, -4, 1, 0, 0, 0, 0] (map (* 0.3) (near xs k 11))
  in residuals observed ([camera 1, camera 2], map (\k -> near xs k 3) [1, 2, 3], near xs 5 4)

entry network (xs: [5]f64) =
  let gates k: [2][4][3]f64 = unflatten_3d (near xs k (2 * 4 * 3))
  in loss (tabulate_2d 4 3 (\t c -> f64.bool (t % 3 == c))) (gates 1, gates 2, unflatten (near xs 3 (3 * 3)))
