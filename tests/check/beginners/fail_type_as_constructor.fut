-- The name of a type in front of a record.
-- ==
-- error: help: .point. is a type: its values are written without it
type point = {x: f32, y: f32}
def main = point {x = 1, y = 2}
