-- Products of small matrices, one behind the other in each cell. An invocation has no registers for
-- 64 elements between two products: a workgroup has each cell. 16 elements stay an invocation's.
-- The sum over cells is a kernel of its own, and so are the elements of a known table. A row of 64
-- elements has an invocation for each, and is no literal.
def product [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

def main [n] (d: [8][8]f32) (e: [4][4]f32) (xs: [n][8][8]f32) (ys: [n][4][4]f32) (img: [][]f32) =
  let t = [[1f32, 2, 3], [4, 5, 6], [7, 8, 9]]
  in ( map (\x -> product (product d x) (transpose d)) xs
     , map (\y -> product (product e y) (transpose e)) ys
     , f32.sum (map (\x ->
                       let z = product (product d x) d
                       in f32.sum (map (\i -> z[i, i]) (iota 8)))
                    xs)
     , tabulate n (\i -> t[i % 3, i / 3 % 3])
     , tabulate n (\b -> tabulate_2d 8 8 (\y x -> img[y, b * 8 + x]))
     )
