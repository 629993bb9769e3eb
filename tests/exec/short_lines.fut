-- Nests over spaces whose last extents are short: workgroups are cut into lines as long as these.
-- Of one, three, sixteen and forty elements, and of none; known and not.
-- ==
-- entry: plane
-- input { 5i64 3i64 } output { 105i64 }
-- input { 1000i64 1i64 } output { 499500i64 }
-- input { 70000i64 2i64 } output { 9799930000i64 }
-- input { 3i64 40i64 } output { 7140i64 }
-- input { 7i64 0i64 } output { 0i64 }
-- input { 0i64 7i64 } output { 0i64 }
-- ==
-- entry: space
-- input { 9i64 5i64 3i64 } output { 9045i64 }
-- input { 2i64 300i64 1i64 } output { 179700i64 }
-- input { 600i64 1i64 1i64 } output { 179700i64 }
-- input { 3i64 1i64 33i64 } output { 4851i64 }
-- ==
-- entry: fourth
-- input { 2i64 3i64 5i64 2i64 } output { 1770i64 }
-- input { 1i64 1i64 90i64 3i64 } output { 36315i64 }
-- ==
-- entry: known
-- input { 20i64 } output { 51040i64 230860i64 }

def sum1 = i64.sum
def sum2 [n] [m] (xs: [n][m]i64) = i64.sum (flatten xs)

entry plane (n: i64) (m: i64) : i64 =
  sum2 (opaque (tabulate_2d n m (\i j -> i * m + j)))

entry space (n: i64) (m: i64) (k: i64) : i64 =
  sum2 (flatten (opaque (tabulate_3d n m k (\i j l -> (i * m + j) * k + l))))

entry fourth (n: i64) (m: i64) (k: i64) (q: i64) : i64 =
  sum2 (flatten (flatten (opaque (tabulate n (\h ->
                                                tabulate_3d m k q (\i j l -> ((h * m + i) * k + j) * q + l))))))

entry known (n: i64) : (i64, i64) =
  ( sum2 (opaque (tabulate_2d n 16 (\i j -> i * 16 + j)))
  , sum2 (flatten (opaque (tabulate_3d n 17 2 (\i j l -> (i * 17 + j) * 2 + l))))
  )
