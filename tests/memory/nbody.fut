-- n-body with vectors of three: they live on the stack, and the bodies change where they are.
-- in loops:
type vec = [3]f64
def add (a: vec) (b: vec) : vec = map2 (+) a b
def scale (k: f64) (a: vec) : vec = map (* k) a
def dot (a: vec) (b: vec) : f64 = f64.sum (map2 (*) a b)

def force (p: vec) (q: vec, m: f64) : vec =
  let d = map2 (-) q p
  let r2 = dot d d + 0.01
  in scale (m / (r2 * f64.sqrt r2)) d

entry main [n] (ps: [n]vec) (vs: [n]vec) (ms: [n]f64) (steps: i64) : ([n]vec, [n]vec) =
  loop (ps, vs) = (ps, vs)
  for _i < steps do
    let as = map (\p -> reduce add [0, 0, 0] (map (force p) (zip ps ms))) ps
    let vs = map2 (\v a -> add v (scale 0.01 a)) vs as
    in (map2 (\p v -> add p (scale 0.01 v)) ps vs, vs)
