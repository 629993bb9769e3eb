-- Hotspot3D (Rodinia 3.1): the temperature of a stack of chip layers, a seven-point stencil with
-- the power of each cell as invariant. Axes are (layer, row, column).
--
-- run: 20 [[[0, 0, 0], [0, 0.5, 0]], [[0, 0, 0], [0, 0, 1]]] [[[80, 80, 80], [80, 80, 80]], [[80, 80, 80], [80, 80, 80]]]
-- tolerance: 1e-6
-- ==
-- input { 2i32 [[[0.0f32, 0.0f32, 0.0f32, 0.0f32], [0.0f32, 0.5f32, 0.0f32, 0.0f32], [0.0f32,
--   0.0f32, 0.0f32, 0.0f32]], [[0.0f32, 0.0f32, 0.0f32, 0.0f32], [0.0f32, 0.0f32, 0.125f32,
--   0.0f32], [0.0f32, 0.0f32, 0.0f32, 0.0f32]]] [[[320.0f32, 321.5f32, 323.0f32, 324.5f32],
--   [326.0f32, 322.5f32, 324.0f32, 325.5f32], [327.0f32, 328.5f32, 325.0f32, 326.5f32]],
--   [[328.0f32, 329.5f32, 331.0f32, 327.5f32], [329.0f32, 330.5f32, 332.0f32, 333.5f32], [330.0f32,
--   331.5f32, 333.0f32, 334.5f32]]] }
-- output { [[[319.93823f32, 321.43777f32, 322.93732f32, 324.4356f32], [325.93518f32, 322.43753f32,
--   323.93704f32, 325.43668f32], [326.93503f32, 328.43448f32, 324.93677f32, 326.43637f32]],
--   [[327.93176f32, 329.43143f32, 330.9309f32, 327.43335f32], [328.93286f32, 330.43115f32,
--   331.9308f32, 333.43036f32], [329.9327f32, 331.43222f32, 332.9305f32, 334.43005f32]]] }

-- | Weights of the neighbours along the rows, the columns and the layers, of the cell itself, and
-- of its power. With the physics of hotspot.fut: a weight is the time step divided by heat capacity
-- and thermal resistance.
def weights (layers: i64) (rows: i64) (columns: i64) : (f32, f32, f32, f32, f32) =
  let chip_thickness = 0.0005f32
  let conductivity = 100f32
  let heat = 0.5f32 * 1.75e6f32 * chip_thickness
  let time_step = 0.001f32 / (3.0e6f32 / heat)
  let dx = 0.016f32 / f32.i64 rows
  let dy = 0.016f32 / f32.i64 columns
  let dz = chip_thickness / f32.i64 layers
  let per_power = time_step / (heat * dx * dy)
  let x = per_power / (dy / (2f32 * conductivity * chip_thickness * dx))
  let y = per_power / (dx / (2f32 * conductivity * chip_thickness * dy))
  let z = per_power / (dz / (conductivity * dx * dy))
  in (x, y, z, 1f32 - (2f32 * x + 2f32 * y + 3f32 * z), per_power)

-- | Temperatures after a number of steps. The air at 80 degrees acts on every cell with the weight
-- of a layer.
entry main [k] [n] [m] (steps: i32) (power: [k][n][m]f32) (temp: [k][n][m]f32) : [k][n][m]f32 =
  let (x, y, z, centre, per_power) = weights k n m
  in loop t = temp
     for _i < steps do
       stencil_3d [(0, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0)]
                  (\p v ->
                     v[0] * centre + v[1] * y + v[2] * y + v[3] * x + v[4] * x + v[5] * z + v[6] * z
                     + per_power * p
                     + z * 80f32)
                  power
                  t
