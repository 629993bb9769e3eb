-- A segment whose length is known when it is there is made once, into memory that doubles.
entry main [n] (xs: [n]i64) : []i64 =
  let (_, _, _, data, _) = flatmap (\x -> (filter (< x) xs, ())) xs
  in data
