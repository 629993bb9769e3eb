-- Hotspot (Rodinia 3.1): how the temperature of a chip develops while its blocks burn power. Each
-- cell exchanges heat with its four neighbours and with the air above it; a grid cell is a small
-- block of silicon with a heat capacity and conductances to its surroundings. `picture` heats the
-- chip drawn in data/chip.png and paints the temperatures.
--
-- run: --entry=picture 2000 @data/chip.png --save hotspot.png
-- tolerance: 1e-6
-- ==
-- entry: main
-- input { 3i32 [[80.0f32, 82.5f32, 85.0f32, 84.5f32], [87.0f32, 89.5f32, 89.0f32, 91.5f32],
--   [94.0f32, 93.5f32, 96.0f32, 98.5f32]] [[0.0f32, 0.0f32, 0.0f32, 0.0f32], [0.0f32, 40000.0f32,
--   12500.0f32, 0.0f32], [0.0f32, 0.0f32, 0.0f32, 3000.0f32]] }
-- output { [[80.000046f32, 82.49952f32, 84.99899f32, 84.49913f32], [86.99863f32, 91.37294f32,
--   89.58413f32, 91.49769f32], [93.99716f32, 93.4973f32, 95.99677f32, 98.63688f32]] }

-- ==
-- entry: picture
-- input { 2i32 [[0.0f32, 0.5f32, 0.0f32, 0.0f32], [0.0f32, 1.0f32, 0.25f32, 0.0f32]] }
-- output { [[4278190084u32, 4290591059u32, 4278190084u32, 4278190084u32], [4278190084u32,
--   4294770596u32, 4283830381u32, 4278190084u32]] }

-- | The chip: width and height of its face and its thickness, in metres.
def chip_size = 0.016f32
def chip_thickness = 0.0005f32

-- | Silicon: heat capacity in J/(m^3 K), conductivity in W/(m K), and the share of the capacity
-- that takes part.
def specific_heat = 1.75e6f32
def conductivity = 100f32
def capacity_factor = 0.5f32

-- | Temperature of the air.
def ambient = 80f32

-- | Length of a time step in seconds: the fastest cell warms by `precision` degrees.
def time_step =
  let precision = 0.001f32
  let max_power_density = 3.0e6f32
  in precision / (max_power_density / (capacity_factor * chip_thickness * specific_heat))

-- | One time step of explicit Euler. `power` is the heat of each cell, in watts; at the edge a cell
-- is its own neighbour, so no heat leaves sideways.
def step [n] [m] (power: [n][m]f32) (temp: [n][m]f32) : *[n][m]f32 =
  let height = chip_size / f32.i64 n
  let width = chip_size / f32.i64 m
  let capacity = capacity_factor * specific_heat * chip_thickness * width * height
  let gx = 2f32 * conductivity * chip_thickness * height / width
  let gy = 2f32 * conductivity * chip_thickness * width / height
  let gz = conductivity * height * width / chip_thickness
  let rate = time_step / capacity
  in stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
                (\p v ->
                   let (north, west, t, east, south) = (v[0], v[1], v[2], v[3], v[4])
                   in t
                      + rate
                        * (p + (east + west - 2f32 * t) * gx
                           + (south + north - 2f32 * t) * gy
                           + (ambient - t) * gz))
                power
                temp

-- | Temperatures after a number of steps.
entry main [n] [m] (steps: i32) (temp: [n][m]f32) (power: [n][m]f32) : [n][m]f32 =
  loop t = temp for _i < steps do step power t

-- | The colour at `x` (0 to 1) of a ramp from black over violet, red and orange to pale yellow, as
-- ARGB.
def colour (x: f32) : u32 =
  let stops: [5](f32, f32, f32) =
    [(0, 0, 4), (87, 16, 110), (188, 55, 84), (249, 142, 9), (252, 255, 164)]
  let s = 4f32 * x
  let i = i64.min 3 (i64.f32 s)
  let between a b = u32.f32 (a + (s - f32.i64 i) * (b - a) + 0.5f32)
  let (r0, g0, b0) = stops[i]
  let (r1, g1, b1) = stops[i + 1]
  in 0xff000000u32 | (between r0 r1 << 16) | (between g0 g1 << 8) | between b0 b1

-- | A picture of the chip after a number of steps from a cold start, coldest cell black, hottest
-- pale yellow. `density` is the power density, where 1 stands for 2.5 W/mm^2.
entry picture [n] [m] (steps: i32) (density: [n][m]f32) : [n][m]u32 =
  let cell_area = (chip_size / f32.i64 n) * (chip_size / f32.i64 m)
  let power = map (map (\d -> d * 2.5e6f32 * cell_area)) density
  let temp = main steps (replicate n (replicate m ambient)) power
  let coldest = f32.minimum (flatten temp)
  let hottest = f32.maximum (flatten temp)
  let scale = if hottest > coldest then 1f32 / (hottest - coldest) else 0f32
  in map (map (\t -> colour ((t - coldest) * scale))) temp
