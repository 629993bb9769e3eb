-- Loops whose cotangents of weights are sums of products in each step: one product over all steps behind the loop.
-- tolerance: exact

def made (n: i64) (k: i64) : [n]f64 = tabulate n (\i -> f64.i64 (i * 5 % 7 - k) / 2)
def table (n: i64) (m: i64) (k: i64) : [n][m]f64 = tabulate_2d n m (\i j -> f64.i64 ((i * 5 + j * 3) % 7 - k) / 2)
def weighed [n] (xs: [n]f64) : f64 = f64.sum (map2 (\i x -> x * f64.i64 (i % 11 + 1)) (iota n) xs)
def all [n] [m] (xs: [n][m]f64) : f64 = weighed (map weighed xs)
def times [n] [m] [b] (w: [n][m]f64) (x: [b][m]f64) : [b][n]f64 = map (\x -> map (\row -> f64.sum (map2 (*) row x)) w) x

-- A recurrent network: weights of inputs, of states, and a bias.
def network [t] [b] [d] [h] (xs: [t][b][d]f64) (w: [h][d]f64, u: [h][h]f64, bias: [h]f64) : [b][h]f64 =
  loop s = replicate b (replicate h 0)
  for x in xs do
    map2 (map3 (\bias a c -> f64.max 0 (0.5 * a + c) + bias) bias) (times w x) (times u s)

-- ==
-- entry: recurrent
-- input { 3i64 4i64 2i64 3i64 } output { 49.0625f64 -3.8125f64 4.875f64 }
-- input { 1i64 1i64 1i64 1i64 } output { 0.0f64 0.0f64 -1.5f64 }
-- input { 0i64 4i64 2i64 3i64 } output { 0.0f64 0.0f64 0.0f64 }
-- input { 3i64 0i64 2i64 3i64 } output { 0.0f64 0.0f64 0.0f64 }
entry recurrent (t: i64) (b: i64) (d: i64) (h: i64) =
  let xs = tabulate t (\k -> table b d k)
  let (w, u, bias) = vjp (network xs) (table h d 3, table h h 2, made h 1) (table b h 3)
  in (all w, all u, weighed bias)

-- Parts of one array of weights.
def gates [t] [b] [h] (xs: [t][b][h]f64) (w: [2][h][h]f64) : [b][h]f64 =
  loop s = replicate b (replicate h 1) for x in xs do map2 (map2 (*)) (times w[0] x) (map (map (f64.min 2)) (times w[1] s))

-- ==
-- entry: of_gates
-- input { 3i64 4i64 2i64 } output { -11.265625f64 -153.28125f64 }
-- input { 0i64 4i64 2i64 } output { 0.0f64 0.0f64 }
entry of_gates (t: i64) (b: i64) (h: i64) =
  let w = vjp (gates (tabulate t (\k -> table b h k))) [table h h 3, table h h 2] (table b h 3)
  in (all w[0], all w[1])

-- Numbers of the step are part of what is stored. Weights that change from step to step stay in the loop.
def scaled [t] [b] [h] (factors: [t]f64) (x: [b][h]f64) (w: [h][h]f64) : [b][h]f64 =
  loop s = x for f in factors do map (map (\y -> f * f64.min 3 y)) (times w s)

-- ==
-- entry: of_scaled
-- input { 3i64 4i64 2i64 } output { -3.25f64 }
entry of_scaled (t: i64) (b: i64) (h: i64) = all (vjp (scaled (made t 1) (table b h 2)) (table h h 3) (table b h 3))

def learnt [b] [h] (t: i64) (x: [b][h]f64) (w: [h][h]f64) : [h][h]f64 =
  loop w = w for _i < t do map2 (map2 (\w y -> w - 0.5 * y)) w (times w (take h (times w x ++ table h h 1)))

-- ==
-- entry: of_learnt
-- input { 2i64 4i64 2i64 } output { 1.39453125f64 }
entry of_learnt (t: i64) (b: i64) (h: i64) = all (vjp (learnt t (table b h 2)) (table h h 3) (table h h 3))

-- Wider than the states: what the outer product reads is not stored for all steps.
def hidden [b] [h] [m] (t: i64) (x: [b][h]f64) (w: [m][h]f64, u: [h][m]f64) : [b][h]f64 =
  loop s = x for _i < t do times u (map (map (f64.max 0)) (times w s))

-- ==
-- entry: of_hidden
-- input { 2i64 3i64 2i64 5i64 } output { 104.1875f64 133.1875f64 }
entry of_hidden (t: i64) (b: i64) (h: i64) (m: i64) =
  let (w, u) = vjp (hidden t (table b h 2)) (table m h 3, table h m 2) (table b h 3)
  in (all w, all u)

-- In the cells of a map, and differentiated again.
-- ==
-- entry: in_cells
-- input { 3i64 4i64 2i64 3i64 } output { [50.125f64, 1.28125f64, 50.5f64] }
entry in_cells (t: i64) (b: i64) (d: i64) (h: i64) =
  map (\k ->
         let (w, u, bias) = vjp (network (tabulate t (\i -> table b d (i + k)))) (table h d 3, table h h 2, made h 1) (table b h 3)
         in all w + all u + weighed bias)
      (iota 3)

-- ==
-- entry: twice
-- input { 3i64 4i64 2i64 } output { -105.8828125f64 -619.53125f64 }
entry twice (t: i64) (b: i64) (h: i64) =
  let f w = vjp (gates (tabulate t (\k -> table b h k))) w (table b h 3)
  let at = [table h h 3, table h h 2]
  let w = jvp f at [table h h 1, table h h 2]
  in (all w[0], all w[1])
