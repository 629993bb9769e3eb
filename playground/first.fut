-- Heat spreads from two spots: a stencil of five cells, step by step.
def step [n] [m] (grid: [n][m]f32) : [n][m]f32 =
  stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
             (\() v -> v[2] + 0.2 * (v[0] + v[1] + v[3] + v[4] - 4 * v[2]))
             (rep (rep ()))
             grid

def start : [60][90]f32 =
  tabulate_2d 60 90 (\i j ->
                       if (i - 20) ** 2 + (j - 25) ** 2 < 60 || (i - 40) ** 2 + (j - 60) ** 2 < 120 then 1 else 0)

def heat (steps: i64) : [60][90]f32 =
  loop grid = copy start for _i < steps do step grid

-- > :img start
-- > :img heat 50
-- > :plot map (\steps -> f32.maximum (flatten (heat steps))) [0, 10, 20, 40, 80]
-- > f32.sum (flatten (heat 50))
