-- A module of another language.
-- ==
-- error: there is no module .math.*help: each type has its own: .f32.sin
def main (x: f64) = math.sin x
