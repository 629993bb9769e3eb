-- A branch that all cells agree on: outside of the nest, so that each arm is spread as suits it. An
-- array that the cells flatten has another shape, not another place.
-- ==
-- input { true [[[1i32, 3i32]], [[2i32, 2i32]]] }
-- output { [4i32, 4i32] [4i32, 4i32] }
def main [n] [m] [k] (flag: bool) (xsss: [n][m][k]i32) : ([n]i32, [n]i32) =
  unzip (map (\xss ->
                let s = if flag then i32.sum (flatten xss) else i32.maximum (scan (+) 0 (flatten xss))
                let t = i32.sum (flatten (map (scan (+) 0) xss)) - i32.sum (map head xss)
                in (s, t))
             xsss)
