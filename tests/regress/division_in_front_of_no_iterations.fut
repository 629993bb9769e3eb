-- A loop past the caches asks where its first iteration stores before it knows that there is one: a
-- division by the length, which every iteration shares, was done there and divided by 0.
-- ==
-- entry: index guarded remainder
-- input { empty([0]i64) 2i64 } output { empty([0]i64) }
-- input { [4i64, 5i64, 6i64] 2i64 }
entry index [n] (xs: [n]i64) (k: i64) =
  loop ys = copy xs for i < 3 do map (\_ -> if i > 0 then k else xs[k * 3 % n]) ys

entry guarded [n] (xs: [n]i64) (k: i64) =
  loop ys = copy xs for i < 3 do map (\x -> if i > 0 then x else x + xs[k / n % n]) ys

entry remainder [n] (xs: [n]i64) (k: i64) =
  loop ys = copy xs for _i < 3 do map (\_ -> xs[k * 3 %% n]) ys
