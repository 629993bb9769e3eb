-- A known exponent leaves one operation of the library's power (stdlib/math_f32_power.fut).
def main [n] (xs: [n]f32) (y: f64) = (map (\x -> x ** 2 + x ** (-1)) xs, y ** 2)
