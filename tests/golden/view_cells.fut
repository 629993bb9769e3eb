-- Branches whose cells look at their rows in another way: views of the whole arrays, and one copy by all
-- elements where the elements move.

entry main [n] [a] [b] (turned: bool) (xsss: [n][a][b]i32) : [n][a * b]i32 =
  map (\xss -> if turned then flatten (transpose (map (scan (+) 0) xss)) :> [a * b]i32 else flatten xss) xsss
