-- The check of a row's new size is the host's, and rows are views: no kernel copies them.
def unshuffled [m] (xs: [m]i32) : [m]i32 =
  let h = m / 2
  in (map (\i -> xs[2 * i]) (iota h) ++ map (\i -> xs[2 * i + 1]) (iota h)) :> [m]i32

entry main [n] [m] (xss: [n][m]i32) : [n][m]i32 = map unshuffled xss
