-- Objectives of the ADBench family in f64: bundle adjustment, a hand's pose, a recurrent network.

def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)

-- Bundle adjustment. A camera: rotation (axis times angle), centre, focal length, principal point,
-- radial distortion.

def cross (a: [3]f64) (b: [3]f64) : [3]f64 =
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

def turned (rotation: [3]f64) (x: [3]f64) : [3]f64 =
  let square = dot rotation rotation
  in if square == 0
     then map2 (+) x (cross rotation x)
     else let angle = f64.sqrt square
          let axis = map (/ angle) rotation
          let (c, s) = (f64.cos angle, f64.sin angle)
          let along = dot axis x * (1 - c)
          in map3 (\x y a -> x * c + y * s + a * along) x (cross axis x) axis

def projected (camera: [11]f64) (x: [3]f64) : [2]f64 =
  let seen = turned camera[0:3] (map2 (-) x camera[3:6])
  let flat = [seen[0] / seen[2], seen[1] / seen[2]]
  let square = dot flat flat
  let scale = (1 + camera[9] * square + camera[10] * square * square) * camera[6]
  in [flat[0] * scale + camera[7], flat[1] * scale + camera[8]]

def reprojection (feature: [2]f64) (camera: [11]f64, x: [3]f64, weight: f64) : [2]f64 =
  map2 (\a b -> weight * (a - b)) (projected camera x) feature

-- Residuals of all observations: which camera, which point, where.
def residuals [n] [m] [p] (seen: [p](i64, i64, [2]f64)) (cameras: [n][11]f64, xs: [m][3]f64, weights: [p]f64) =
  map2 (\(c, i, feature) w -> reprojection feature (cameras[c], xs[i], w)) seen weights

-- The two rows of the Jacobian of each observation: by its camera, its point, its weight.
def residual_rows [n] [m] [p] (seen: [p](i64, i64, [2]f64)) (cameras: [n][11]f64, xs: [m][3]f64, weights: [p]f64) =
  map2 (\(c, i, feature) w -> mjp (reprojection feature) (cameras[c], xs[i], w) [[1, 0], [0, 1]]) seen weights

-- A hand: five fingers of three bones. Parameters: rotation and position of the hand, four angles for
-- each finger. Vertices move with all bones, by weights.

type~ frame = ([3][3]f64, [3]f64) -- x -> m x + t

def product (a: [3][3]f64) (b: [3][3]f64) : [3][3]f64 = map (\row -> map (dot row) (transpose b)) a
def moved (m: [3][3]f64, t: [3]f64) (x: [3]f64) : [3]f64 = map2 (\row s -> dot row x + s) m t

def bent (x: f64) (y: f64) : [3][3]f64 =
  let (cx, sx, cy, sy) = (f64.cos x, f64.sin x, f64.cos y, f64.sin y)
  in [[cy, 0, sy], [sx * sy, cx, -sx * cy], [-cx * sy, sx, cx * cy]]

def bones (pose: [26]f64) : [15]([3][3]f64, [3]f64) =
  let wrist = transpose (map (turned pose[0:3]) [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
  let finger f =
    let angles = pose[6 + 4 * f:10 + 4 * f] :> [4]f64
    let root = [0.2 * f64.i64 f - 0.4, 1, 0]
    let first = (product wrist (bent angles[0] angles[1]), moved (wrist, pose[3:6]) root)
    let next (m, t) angle = (product m (bent angle 0), moved (m, t) [0, 0.5, 0])
    let second = next first angles[2]
    in [first, second, next second angles[3]]
  in flatten (map finger (iota 5)) :> [15]([3][3]f64, [3]f64)

def vertices [v] (weights: [v][15]f64) (rest: [v][3]f64) (pose: [26]f64) : [v][3]f64 =
  let frames = bones pose
  in map2 (\ws x ->
             let each = map2 (\w frame -> map (* w) (moved frame x)) ws frames
             in map f64.sum (transpose each))
          weights
          rest

-- Points of a picture beside the vertices that they show.
def distances [v] [p] (weights: [v][15]f64) (rest: [v][3]f64) (points: [p][3]f64) (shown: [p]i64) (pose: [26]f64) =
  let at = vertices weights rest pose
  in map2 (\x i -> map2 (-) x at[i]) points shown

-- The same, each point between three vertices by weights of its own.
def between [v] [p]
            (weights: [v][15]f64)
            (rest: [v][3]f64)
            (points: [p][3]f64)
            (shown: [p][3]i64)
            (pose: [26]f64, mix: [p][2]f64) =
  let at = vertices weights rest pose
  let corner (k: [3]i64) (m: [2]f64) =
    map3 (\a b c -> m[0] * a + m[1] * b + (1 - m[0] - m[1]) * c) at[k[0]] at[k[1]] at[k[2]]
  in map3 (\x k m -> map2 (-) x (corner k m)) points shown mix

def unit (n: i64) (i: i64) : [n]f64 = tabulate n (\j -> f64.bool (i == j))

-- By columns: the pose, then both weights of all points at once.
def distance_columns [v] [p] (weights: [v][15]f64) (rest: [v][3]f64) (points: [p][3]f64) (shown: [p]i64) (pose: [26]f64) =
  jmp (distances weights rest points shown) pose (map (unit 26) (iota 26))

def between_columns [v] [p]
                    (weights: [v][15]f64)
                    (rest: [v][3]f64)
                    (points: [p][3]f64)
                    (shown: [p][3]i64)
                    (pose: [26]f64, mix: [p][2]f64) =
  let by_pose = map (\i -> (unit 26 i, replicate p [0, 0])) (iota 26)
  let by_mix = map (\i -> (replicate 26 0, replicate p (unit 2 i))) (iota 2)
  in jmp (between weights rest points shown) (pose, mix) (by_pose ++ by_mix)

-- A network of l layers with c cells each, every gate with weights of its own on the diagonal; the loss
-- is that of the next element of a sequence.

def sigmoid (x: f64) : f64 = 1 / (1 + f64.exp (-x))

def layer_step [c] (w: [4][c]f64) (b: [4][c]f64) (state: [c]f64) (hidden: [c]f64) (input: [c]f64) : (*[c]f64, *[c]f64) =
  let forget = map3 (\x w b -> sigmoid (x * w + b)) input w[0] b[0]
  let ingate = map3 (\h w b -> sigmoid (h * w + b)) hidden w[1] b[1]
  let outgate = map3 (\x w b -> sigmoid (x * w + b)) input w[2] b[2]
  let change = map3 (\h w b -> f64.tanh (h * w + b)) hidden w[3] b[3]
  let state = map4 (\s f i a -> s * f + i * a) state forget ingate change
  in (state, map2 (\o s -> o * f64.tanh s) outgate state)

def loss [n] [l] [c] (sequence: [n][c]f64) (w: [l][4][c]f64, b: [l][4][c]f64, ends: [3][c]f64) : f64 =
  let start = replicate l (replicate c 0)
  let (total, _, _) =
    loop (total, states, hiddens) = (0, start, start)
    for t < n - 1 do
      let first = map2 (*) sequence[t] ends[0]
      let (states, hiddens, x) =
        loop (states, hiddens, x) = (copy states, copy hiddens, first)
        for k < l do
          let (s, h) = layer_step w[k] b[k] states[k] hiddens[k] x
          in (states with [k] = s, hiddens with [k] = copy h, h)
      let guess = map3 (\x w b -> x * w + b) x ends[1] ends[2]
      let norm = f64.log (f64.sum (map f64.exp guess) + 2)
      in (total + f64.sum (map2 (\y g -> y * (g - norm)) sequence[t + 1] guess), states, hiddens)
  in -total / f64.i64 (c * (n - 1))
