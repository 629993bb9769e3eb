-- examples/hotspot.fut on a larger chip, against bench/cpp/hotspot.cpp.
-- ==
-- "2048x100" random input { 100i32 [2048][2048]f32 [2048][2048]f32 }

-- | The chip: width and height of its face and its thickness, in metres.
def chip_size = 0.032f32
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

-- | One time step of explicit Euler. `power` is what each cell burns, in watts; at the edge a cell
-- is its own neighbour, so no heat leaves sideways.
def step [n][m] (power: [n][m]f32) (temp: [n][m]f32): *[n][m]f32 =
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
          in t + rate * (p + (east + west - 2f32 * t) * gx
                           + (south + north - 2f32 * t) * gy
                           + (ambient - t) * gz))
       power temp

entry main [n][m] (steps: i32) (temp: [n][m]f32) (power: [n][m]f32): [n][m]f32 =
  loop t = temp for _i < steps do step power t
