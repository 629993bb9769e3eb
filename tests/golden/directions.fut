-- Directions behind `#[unroll]` are applied one by one, others in a map.
def main (x: f64) (seeds: [2]f64) =
  let square x = x * x
  in (#[unroll] jmp square x seeds, jmp square x (map (+ 1) seeds))
