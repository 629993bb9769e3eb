-- Where is the rock? Waves run from the shores through a square of ground and are heard at its edge. The
-- ground in which they would sound as they did is found by the gradient of the difference: `vjp`
-- goes back through all steps of the wave equation, by the speed in each cell.
--
-- run: --entry=picture 40 150 120 --save waves_inversion.png
-- tolerance: 1e-3
-- ==
-- entry: finds
-- input { } output { true }

-- | Waves from one shore: the sound at the edges at each step. `speeds` are squared and in cells
-- per step.
def heard [n] (steps: i64) (shore: i64) (speeds: [n][n]f32) : [steps][n + n + n + n]f32 =
  let still = replicate n (replicate n 0f32)
  let sounds = replicate steps (replicate (n + n + n + n) 0f32)
  let (_, _, sounds) =
    loop (before, now, sounds) = (still, still, sounds)
    for i < steps do
      let next =
        stencil_2d [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
                   (\(old, speed) v ->
                      2f32 * v[0] - old + speed * ((v[1] + v[2]) + (v[3] + v[4]) - 4f32 * v[0]))
                   (map2 zip before speeds)
                   now
      let time = (f32.i64 i - 10) / 4
      let push = (1 - 2 * time * time) * f32.exp (-time * time)
      let next[n / 2, 1] = next[n / 2, 1] + (if shore == 0 then push else 0)
      let next[n / 2, n - 2] = next[n / 2, n - 2] + (if shore == 1 then push else 0)
      let next[1, n / 2] = next[1, n / 2] + (if shore == 2 then push else 0)
      let next[n - 2, n / 2] = next[n - 2, n / 2] + (if shore == 3 then push else 0)
      in (now, next, sounds with [i] = (next[0] ++ next[n - 1]) ++ (next[:, 0] ++ next[:, n - 1]))
  in sounds

-- | Half of the squared differences to the sound heard from each of the four shores.
def misfit [n] [k] [l] (steps: i64) (was: [4][k][l]f32) (speeds: [n][n]f32) : f32 =
  let of_shore shore =
    let now = heard steps shore speeds :> [k][l]f32
    in f32.sum (map f32.sum (map2 (map2 (\a b -> (a - b) * (a - b))) now was[shore]))
  in 0.5f32 * (of_shore 0 + of_shore 1 + (of_shore 2 + of_shore 3))

-- | Ground in which waves sound as they did: steps along the gradient, which counts away from the
-- shores, where every wave begins and ends. A step that does not help is halved.
def found [k] [l] (n: i64) (rounds: i32) (was: [4][k][l]f32) : [n][n]f32 =
  let is_inland i = i > n / 8 && i < n - 1 - n / 8
  let inland (slope: [n][n]f32) =
    tabulate_2d n n (\i j -> if is_inland i && is_inland j then slope[i, j] else 0)
  let even = replicate n (replicate n 0.16f32)
  in (loop (speeds, loss, step) = (even, misfit k was even, 0.02f32)
      for _i < rounds do
        let slope = inland (vjp (misfit k was) speeds 1)
        let most = f32.maximum (map (\row -> f32.maximum (map f32.abs row)) slope)
        let moved s d = f32.max 0.04 (f32.min 0.4 (s - step * d / most))
        let next = map2 (map2 moved) speeds slope
        let next_loss = misfit k was next
        in if next_loss < loss then (next, next_loss, step * 1.3) else (speeds, loss, step / 3)).0

-- | Ground with a soft and a hard rock.
def ground (n: i64) : [n][n]f32 =
  tabulate_2d n n (\i j ->
                     let near y x r =
                       let (dy, dx) = (f32.i64 i / f32.i64 n - y, f32.i64 j / f32.i64 n - x)
                       in dy * dy + dx * dx < r * r
                     in if near 0.4 0.35 0.13 then 0.22 else if near 0.65 0.65 0.1 then 0.1 else 0.16f32)

def from_all_shores [n] (steps: i64) (speeds: [n][n]f32) =
  map (\shore -> heard steps shore speeds) (iota 4)

-- | Side by side: the ground, and the ground found from its waves.
entry picture (n: i64) (steps: i64) (rounds: i32) : [n][n + n]f32 =
  let rocks = ground n
  let found = found n rounds (from_all_shores steps rocks)
  in map2 (\a b -> map (\s -> (s - 0.08) * 6) (a ++ b)) rocks found

-- | A few rounds halve the difference in the sound heard.
entry finds : bool =
  let was = from_all_shores 40 (ground 16)
  let even = replicate 16 (replicate 16 0.16f32)
  in misfit 40 was (found 16 4 was) * 2 < misfit 40 was even
