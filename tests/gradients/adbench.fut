-- The models of bench/ad, small. `halo test --derivatives` checks them, and their Jacobians as programs.
import "../../bench/ad/models"

def near [n] (xs: [n]f64) (k: f64) (m: i64) : [m]f64 =
  tabulate m (\i -> let x = xs[i % n] * (k + 0.37 * f64.i64 i) in f64.sin x)

-- ==
-- entry: bundle bundle_rows hand hand_columns hand_between hand_between_columns network network_gradient
-- input { [0.3, -0.7, 1.1, 0.45, 0.9] }
def observed : [4](i64, i64, [2]f64) = [(0, 0, [0.1, 0.2]), (1, 0, [0.3, -0.1]), (0, 1, [0.5, 0.5]), (1, 2, [0.2, 0])]

def scene (xs: [5]f64) =
  let camera k = map2 (+) [0, 0, 0, 0, 0, -4, 1, 0, 0, 0, 0] (map (* 0.3) (near xs k 11))
  in ([camera 1, camera 2], map (\k -> near xs k 3) [1, 2, 3], near xs 5 4)

entry bundle (xs: [5]f64) = residuals observed (scene xs)
entry bundle_rows (xs: [5]f64) = residual_rows observed (scene xs)

def skin : [6][15]f64 = tabulate_2d 6 15 (\v b -> if b % 6 == v then 0.4 else 0.04)
def rest : [6][3]f64 = tabulate_2d 6 3 (\v i -> 0.1 * f64.i64 v - 0.2 * f64.i64 i)
def points : [5][3]f64 = tabulate_2d 5 3 (\p i -> 0.3 * f64.i64 (p + i))
def mixes (xs: [5]f64) : [5][2]f64 = map (\x -> [x, x * x]) xs

entry hand (xs: [5]f64) = distances skin rest points [0, 2, 5, 3, 3] (near xs 1 26)
entry hand_columns (xs: [5]f64) = copy (distance_columns skin rest points [0, 2, 5, 3, 3] (near xs 1 26))
def corners : [5][3]i64 = [[0, 1, 2], [5, 4, 3], [2, 2, 1], [3, 0, 5], [1, 1, 4]]
entry hand_between (xs: [5]f64) = between skin rest points corners (near xs 1 26, mixes xs)
entry hand_between_columns (xs: [5]f64) = copy (between_columns skin rest points corners (near xs 1 26, mixes xs))

def gates (xs: [5]f64) (k: f64) : [2][4][3]f64 = unflatten_3d (near xs k (2 * 4 * 3))
def sequence : [4][3]f64 = tabulate_2d 4 3 (\t c -> f64.bool (t % 3 == c))
def parameters (xs: [5]f64) = (gates xs 1, gates xs 2, unflatten (near xs 3 (3 * 3)))

entry network (xs: [5]f64) = loss sequence (parameters xs)
entry network_gradient (xs: [5]f64) = copy (vjp (loss sequence) (parameters xs) 1)
