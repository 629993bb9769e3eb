-- A function that each float type has.
-- ==
-- error: unknown name .sqrt., did you mean .f64.sqrt. or .f32.sqrt.\?.*help: each type has its own: .f32.sqrt.
def main (x: f32) = sqrt x
