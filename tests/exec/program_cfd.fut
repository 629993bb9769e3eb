-- An Euler solver on an unstructured grid, as in Rodinia's cfd: records in loops, indirect neighbours.
def GAMMA () : f32 = 1.4
def NDIM () : i64 = 3
def NNB () : i64 = 4
def RK () : i32 = 3
def ff_mach () : f32 = 1.2
def deg_angle_of_attack () : f32 = 0.0
def VAR_DENSITY () : i64 = 0
def VAR_MOMENTUM () : i64 = 1
def VAR_DENSITY_ENERGY () : i64 = VAR_MOMENTUM () + NDIM ()
def NVAR () : i64 = VAR_DENSITY_ENERGY () + 1
type float3 = {x: f32, y: f32, z: f32}

def initialize_variables (nelr: i64) (ff_variable: [5]f32) : [5][nelr]f32 =
  map (\(x: f32) : [nelr]f32 -> replicate nelr x) ff_variable

def compute_flux_contribution (density: f32, momentum: float3, density_energy: f32, pressure: f32, velocity: float3) : (float3, float3, float3, float3) =
  let fc_momentum_x_x = velocity.x * momentum.x + pressure
  let fc_momentum_x_y = velocity.x * momentum.y
  let fc_momentum_x_z = velocity.x * momentum.z
  let fc_momentum_y_x = fc_momentum_x_y
  let fc_momentum_y_y = velocity.y * momentum.y + pressure
  let fc_momentum_y_z = velocity.y * momentum.z
  let fc_momentum_z_x = fc_momentum_x_z
  let fc_momentum_z_y = fc_momentum_y_z
  let fc_momentum_z_z = velocity.z * momentum.z + pressure
  let de_p = density_energy + pressure
  let fc_density_energy_x = velocity.x * de_p
  let fc_density_energy_y = velocity.y * de_p
  let fc_density_energy_z = velocity.z * de_p
  in ( {x = fc_momentum_x_x, y = fc_momentum_x_y, z = fc_momentum_x_z}
     , {x = fc_momentum_y_x, y = fc_momentum_y_y, z = fc_momentum_y_z}
     , {x = fc_momentum_z_x, y = fc_momentum_z_y, z = fc_momentum_z_z}
     , {x = fc_density_energy_x, y = fc_density_energy_y, z = fc_density_energy_z}
     )

def compute_velocity (density: f32, momentum: float3) : float3 =
  { x = momentum.x / density
  , y = momentum.y / density
  , z = momentum.z / density
  }

def compute_speed_sqd (velocity: float3) : f32 =
  velocity.x * velocity.x + velocity.y * velocity.y + velocity.z * velocity.z

def compute_pressure (density: f32, density_energy: f32, speed_sqd: f32) : f32 =
  (GAMMA () - 1.0) * (density_energy - 0.5 * density * speed_sqd)

def compute_speed_of_sound (density: f32, pressure: f32) : f32 =
  f32.sqrt (GAMMA () * pressure / density)

def compute_step_factor [nelr] (variables: [5][nelr]f32, areas: [nelr]f32) : [nelr]f32 =
  #[unsafe]
  map2 (\(i: i64) (area: f32) : f32 ->
          let density = variables[VAR_DENSITY (), i]
          let momentum_x = variables[VAR_MOMENTUM (), i]
          let momentum_y = variables[VAR_MOMENTUM () + 1, i]
          let momentum_z = variables[VAR_MOMENTUM () + 2, i]
          let momentum = {x = momentum_x, y = momentum_y, z = momentum_z}
          let density_energy = variables[VAR_DENSITY_ENERGY (), i]
          let velocity = compute_velocity (density, momentum)
          let speed_sqd = compute_speed_sqd (velocity)
          let pressure = compute_pressure (density, density_energy, speed_sqd)
          let speed_of_sound = compute_speed_of_sound (density, pressure)
          in 0.5 / (f32.sqrt (area) * (f32.sqrt (speed_sqd) + speed_of_sound)))
       (iota (nelr))
       areas

def compute_flux [nel]
                 ( elements_surrounding_elements: [4][nel]i32
                 , normals: [3][4][nel]f32
                 , variables: [5][nel]f32
                 , ff_variable: [5]f32
                 , ff_flux_contribution_momentum_x: float3
                 , ff_flux_contribution_density_energy: float3
                 ) : [5][nel]f32 =
  #[unsafe]
  let smoothing_coefficient = 0.2f32
  in transpose (map (\i ->
                       let density_i = variables[VAR_DENSITY (), i]
                       let momentum_i = {x = variables[VAR_MOMENTUM () + 0, i], y = variables[VAR_MOMENTUM () + 1, i], z = variables[VAR_MOMENTUM () + 2, i]}
                       let density_energy_i = variables[VAR_DENSITY_ENERGY (), i]
                       let velocity_i = compute_velocity (density_i, momentum_i)
                       let speed_sqd_i = compute_speed_sqd (velocity_i)
                       let speed_i = f32.sqrt (speed_sqd_i)
                       let pressure_i = compute_pressure (density_i, density_energy_i, speed_sqd_i)
                       let speed_of_sound_i = compute_speed_of_sound (density_i, pressure_i)
                       let (flux_contribution_i_momentum_x, _, _, flux_contribution_i_density_energy) =
                         compute_flux_contribution (density_i, momentum_i, density_energy_i, pressure_i, velocity_i)
                       let flux_i_density = 0.0f32
                       let flux_i_momentum = {x = 0.0f32, y = 0.0f32, z = 0.0f32}
                       let flux_i_density_energy = 0.0f32
                       let loop_res =
                         loop (flux_i_density, flux_i_momentum, flux_i_density_energy) for j < i32.i64 (NNB ()) do
                           let nb = elements_surrounding_elements[j, i]
                           let normal = {x = normals[0, j, i], y = normals[1, j, i], z = normals[2, j, i]}
                           let normal_len = f32.sqrt (normal.x * normal.x + normal.y * normal.y + normal.z * normal.z)
                           in if (0 <= nb)
                              then let density_nb = variables[VAR_DENSITY (), nb]
                                   let velocity_nb = compute_velocity (density_nb, {x = variables[1, nb], y = variables[2, nb], z = variables[3, nb]})
                                   let factor =
                                     -normal_len * smoothing_coefficient * 0.5
                                     * (speed_i + f32.sqrt (compute_speed_sqd velocity_nb)
                                        + speed_of_sound_i)
                                   in ( flux_i_density + factor * (density_i - density_nb)
                                      , {x = flux_i_momentum.x + factor, y = flux_i_momentum.y, z = flux_i_momentum.z}
                                      , flux_i_density_energy + factor
                                      )
                              else if nb == -1
                              then ( flux_i_density
                                   , { x = flux_i_momentum.x + normal.x * pressure_i
                                     , y = flux_i_momentum.y + normal.y * pressure_i
                                     , z = flux_i_momentum.z + normal.z * pressure_i
                                     }
                                   , flux_i_density_energy
                                   )
                              else if (nb == -2)
                              then let factor = 0.5 * normal.x
                                   in ( flux_i_density + factor * (ff_variable[VAR_MOMENTUM () + 0] + momentum_i.x)
                                      , flux_i_momentum with x = flux_i_momentum.x + factor * (ff_flux_contribution_momentum_x.x + flux_contribution_i_momentum_x.x)
                                      , flux_i_density_energy + factor * (ff_flux_contribution_density_energy.x + flux_contribution_i_density_energy.x)
                                      )
                              else (flux_i_density, flux_i_momentum, flux_i_density_energy)
                       let (a, m, e) = loop_res
                       in [a, m.x, m.y, m.z, e])
                    (iota (nel)))

def time_step [nel] (j: i32, old_variables: [5][nel]f32, step_factors: [nel]f32, fluxes: [5][nel]f32) : [5][nel]f32 =
  map2 (\oldv flux ->
          map3 (\v step_factor fl ->
                  let factor = step_factor / f32.i32 (RK () + 1 - j)
                  in v + factor * fl)
               oldv
               step_factors
               flux)
       old_variables
       fluxes

def main [nel]
         (areas: [nel]f32)
         (elements_surrounding_elements: [4][nel]i32)
         (normals: [3][4][nel]f32) : [5][nel]f32 =
  let angle_of_attack = (3.1415926535897931 / 180.0) * deg_angle_of_attack ()
  let ff_variable_den = 1.4f32
  let ff_pressure = 1.0f32
  let ff_speed_of_sound = f32.sqrt (GAMMA () * ff_pressure / ff_variable_den)
  let ff_speed = ff_mach () * ff_speed_of_sound
  let ff_velocity = {x = ff_speed * f32.cos (angle_of_attack), y = ff_speed * f32.sin (angle_of_attack), z = 0.0}
  let ff_momentum = {x = ff_variable_den * ff_velocity.x, y = ff_variable_den * ff_velocity.y, z = ff_variable_den * ff_velocity.z}
  let ff_energy = ff_variable_den * 0.5 * ff_speed * ff_speed + (ff_pressure / (GAMMA () - 1.0))
  let ff_variable = [ff_variable_den, ff_momentum.x, ff_momentum.y, ff_momentum.z, ff_energy]
  let (fcmx, _, _, fce) = compute_flux_contribution (ff_variable_den, ff_momentum, ff_energy, ff_pressure, ff_velocity)
  let variables = initialize_variables nel ff_variable
  in loop variables for _i < 3i32 do
       let step_factors = compute_step_factor (variables, areas)
       let old_variables = copy variables
       in loop (variables) for j < RK () do
            let fluxes = compute_flux (elements_surrounding_elements, normals, variables, ff_variable, fcmx, fce)
            in time_step (j, old_variables, step_factors, fluxes)

-- ==
-- input { [1f32,2f32,3f32] [[-1,-2,1],[0,1,2],[1,0,-1],[-2,2,0]]
--  [[[1f32,2f32,3f32],[0.1f32,0.2f32,0.3f32],[1f32,2f32,3f32],[1f32,2f32,3f32]],[[1f32,2f32,3f32],[0.1f32,0.2f32,0.3f32],[1f32,2f32,3f32],[1f32,2f32,3f32]],[[1f32,2f32,3f32],[0.1f32,0.2f32,0.3f32],[1f32,2f32,3f32],[1f32,2f32,3f32]]] }
