-- A section does not know how long its slices are.
-- ==
-- error: H4003
def f [n] [m] (xss: [n][m]i32) = map (.[1:]) xss
