-- Elements that are written by turns: every second, third, fourth one.
-- ==
-- entry: turns
-- input { 100i64 }
-- output { true }
-- input { 3i64 }
-- output { true }
entry turns (n: i64) : bool =
  let two = flatten (tabulate n (\i -> [f32.i64 i, f32.i64 (i * i)]))
  let four = flatten (tabulate n (\i -> [i % 7, i / 7, i, -i]))
  let three = flatten (tabulate n (\i -> [i32.i64 i, 1, 2]))
  in and (tabulate n (\i -> two[2 * i] == f32.i64 i && two[2 * i + 1] == f32.i64 (i * i)))
     && and (tabulate n (\i ->
                           four[4 * i] == i % 7 && four[4 * i + 1] == i / 7
                           && four[4 * i + 2] == i
                           && four[4 * i + 3] == -i))
     && and (tabulate n (\i ->
                           three[3 * i] == i32.i64 i && three[3 * i + 1] == 1
                           && three[3 * i + 2] == 2))
