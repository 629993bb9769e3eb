-- Cells that record their steps: on the CPU those of a block run in lanes, each with its part of
-- the record.
-- ==
-- entry: paths narrow_paths rows nested
-- input { 0i64 3i64 0.5 } auto output
-- input { 1i64 0i64 0.5 } auto output
-- input { 7i64 5i64 0.5 } auto output
-- input { 40i64 33i64 0.25 } auto output
-- ==
-- entry: inner_loops
-- input { 5i64 0i64 3i64 0.5 } auto output
-- input { 5i64 2i64 3i64 0.5 } auto output

def step (noise: f64) (s: f64) = s * (1 + noise) / (1 + s * s)

entry paths (n: i64) (m: i64) (x: f64) =
  let path x i = loop s = x for t < m do step (0.01 * f64.i64 ((i * 7 + t * 3) % 10)) s
  in vjp (\x -> f64.sum (map (path x) (iota n))) x 1

-- Elements of four bytes.
entry narrow_paths (n: i64) (m: i64) (x: f64) =
  let path x i = loop s = x for t < m do s * (1 + 0.125 * f32.i64 ((i * 7 + t * 3) % 4)) / (1 + s * s)
  in map (\i -> vjp (\x -> path x i) (f32.f64 x) 1) (iota n)

-- States of several numbers.
entry rows (n: i64) (m: i64) (x: f64) =
  let turn c s ((a, b): (f64, f64)) = (c * a - s * b + 0.1 * a * b, s * a + c * b)
  let path x i =
    let (a, b) = loop ab = (x, f64.i64 i * 0.125) for _t < m do turn 0.8 (0.6 + 0.01 * x) ab
    in a * b
  in map (\i -> vjp (\x -> path x i) x 1) (iota n)

-- A record in each step of a loop of the cell.
entry nested (n: i64) (m: i64) (x: f64) =
  let inner y = loop s = y for t < m do step (0.01 * f64.i64 t) s
  let path x i = loop s = x * f64.i64 (i % 3 + 1) for _t < 3i64 do inner s + 0.5
  in map (\i -> vjp (\x -> path x i) x 1) (iota n)

-- A record in a loop that may have no steps.
entry inner_loops (n: i64) (k: i64) (m: i64) (x: f64) =
  let inner y = loop s = y for t < m do step (0.01 * f64.i64 t) s
  let cell i = loop s = x * f64.i64 (i % 3 + 1) for _j < k do vjp inner s 1
  in map cell (iota n)

-- Steps of unknown number that read fixed places, with a bound.
def marched (x: [3]f64) (i: i64) =
  let (t, _) =
    #[bound(40)]
    loop (t, k) = (x[1] + 0.01 * f64.i64 i, 0i64)
    while t < 4 && k < 30 do
      (t + x[0] * (1 + x[2] * t), k + 1)
  in t

-- ==
-- entry: bounded unbounded
-- input { 0i64 [0.5, 0.25, 0.125] } auto output
-- input { 9i64 [0.5, 0.25, 0.125] } auto output
-- input { 21i64 [0.0625, 5.0, 0.5] } auto output
entry bounded (n: i64) (x: [3]f64) = vjp (\x -> f64.sum (map (marched x) (iota n))) x 1

entry unbounded (n: i64) (x: [3]f64) =
  let far (x: [3]f64) i = (loop t = x[1] + 0.01 * f64.i64 i while t < 4 do t + x[0] * (1 + x[2] * t))
  in vjp (\(x: [3]f64) -> f64.sum (map (far x) (iota n))) x 1
