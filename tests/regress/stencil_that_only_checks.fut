-- Of a stencil whose cells are all true nothing is left but its checks: the search for the flags of a
-- scan behind it asked for its last result.
def sure (k: i64) (x: u8) : bool = assert (i64.u8 x != k) true

-- ==
-- entry: filtered scanned counted looped branched celled
-- input { [1u8, 2u8, 3u8, 1u8] 7i64 }
-- input { [1u8, 2u8, 3u8, 1u8] 3i64 } error: H7007
-- input { empty([0]u8) 7i64 }
entry filtered [n] (xs: [n]u8) (k: i64) =
  let fs = stencil_1d_with #wrap [2, -1] (\() v -> sure k v[0]) (rep ()) xs
  in map (.0) (filter (.1) (zip xs fs))

entry scanned [n] (xs: [n]u8) (k: i64) =
  let fs = stencil_1d_with #wrap [2, -1] (\() v -> sure k v[0]) (rep ()) xs
  in scan (+) 0 (map2 (\x f -> if f then x else 0) xs fs)

entry counted [n] (xs: [n]u8) (k: i64) =
  let fs = stencil_1d_with #wrap [2, -1] (\() v -> sure k v[0]) (rep ()) xs
  in length (filter id fs)

entry looped [n] (xs: [n]u8) (k: i64) =
  let ys = loop fs = replicate n true for i < 3 do stencil_1d_with #wrap [2, -1] (\() v -> sure (k - i) v[0]) (rep ()) xs
  in scan (+) 0 (map2 (\x f -> if f then x else 0) xs ys)

entry branched [n] (xs: [n]u8) (k: i64) =
  let fs = if k > 2 then stencil_1d [1] (\() v -> sure k v[0]) (rep ()) xs else replicate n true
  in exscan (+) 0i32 (map i32.bool fs)

entry celled [n] (xs: [n]u8) (k: i64) =
  map (\x -> let fs = stencil_1d [1] (\() v -> sure k (v[0] + x - x)) (rep ()) xs in length (filter id fs)) xs
