-- Accumulators: functions that write to what they get, any number of times, at any places.
-- ==
-- entry: last
-- input { [0i64, 0i64, 0i64, 0i64] [3i64, 1i64, 9i64] } output { [0i64, 10i64, 0i64, 30i64] }
-- input { empty([0]i64) [3i64] } output { empty([0]i64) }
-- input { [5i64] empty([0]i64) } output { [5i64] }
--
-- ==
-- entry: sums
-- input { [1i64, 1i64, 1i64] [0i64, 1i64, 1i64, 5i64] } output { [2i64, 3i64, 3i64] }
--
-- ==
-- entry: triangle
-- input { 5i64 } output { [5i64, 4i64, 3i64, 2i64, 1i64] }
--
-- ==
-- entry: rows
-- input { [0i64, 1i64, 0i64] } output { [[4i64, 2i64], [4i64, 1i64]] }
--
-- ==
-- entry: handed_on
-- input { [7i64, 8i64] } output { [7i64, 8i64] }
type~ acc 't = intrinsics.acc t

def write [k] 'a (acc: *acc ([k]a)) (i: i64) (v: a) : *acc ([k]a) = intrinsics.acc_write acc i v

def same 't (acc: *acc t) : *acc t = acc

entry last [k] (dest: *[k]i64) (is: []i64) : *[k]i64 =
  intrinsics.scatter_stream dest (\(acc: *acc ([k]i64)) i -> write acc i (i * 10)) is

-- Each index counts where it is and one place further on.
entry sums [k] (dest: *[k]i64) (is: []i64) : *[k]i64 =
  intrinsics.hist_stream dest (+) 0 (\(acc: *acc ([k]i64)) i -> write (write acc i 1) (i + 1) i) is

entry triangle (n: i64) : *[n]i64 =
  let count (acc: *acc ([n]i64)) (i: i64): *acc ([n]i64) =
    loop (acc: *acc ([n]i64)) = acc for j < i + 1 do write acc j 1
  in intrinsics.hist_stream (replicate n 0) (+) 0 count (iota n)

entry rows (is: []i64) =
  intrinsics.hist_stream [[0, 0], [3, 0]]
                         (map2 (+))
                         [0, 0]
                         (\(acc: *acc ([2][2]i64)) i -> if i == 0 then write acc i [2, 1] else write acc i [1, 1])
                         is

entry handed_on [k] (dest: *[k]i64) : *[k]i64 =
  intrinsics.hist_stream dest (+) 0 (\(acc: *acc ([k]i64)) _ -> same acc) [1i64, 2]
