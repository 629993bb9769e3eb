-- Equal neighbours, groups of equal keys, sorts of segments, classes: beside sequential loops, of sizes
-- around workgroups and tiles.

-- ==
-- entry: small
-- input { [3i32, 3i32, 1i32, 3i32, 3i32, 3i32] }
-- output { [3i32, 1i32, 3i32] [3i32, 1i32, 3i32] [2i64, 1i64, 3i64] [1i32, 3i32] [1i64, 5i64] [2i64, 0i64, 1i64, 3i64, 4i64, 5i64] }
-- input { empty([0]i32) }
-- output { empty([0]i32) empty([0]i32) empty([0]i64) empty([0]i32) empty([0]i64) empty([0]i64) }
entry small [n] (xs: [n]i32) =
  let (runs, lengths) = run_length_encode (==) xs
  let (keys, counts, values) = group_by i32.sort_order (==) xs (iota n)
  in (unique (==) xs, runs, lengths, keys, counts, values)

-- | Keys of few values, made up.
def made (n: i64) (k: i64) : [n]i32 =
  map (\i -> i32.i64 ((i * i * 31 + i / 7 * 11) % k - k / 2)) (iota n)

-- | Runs back to elements; groups: keys ascend, counts and values are those of the elements.
-- ==
-- entry: groups
-- input { 0i64 3i64 } output { true true true }
-- input { 1i64 3i64 } output { true true true }
-- input { 31i64 3i64 } output { true true true }
-- input { 32i64 1i64 } output { true true true }
-- input { 33i64 3i64 } output { true true true }
-- input { 255i64 9i64 } output { true true true }
-- input { 257i64 300i64 } output { true true true }
-- input { 1024i64 10i64 } output { true true true }
-- input { 1025i64 10i64 } output { true true true }
-- input { 65537i64 100i64 } output { true true true }
entry groups (n: i64) (k: i64) : (bool, bool, bool) =
  let xs = made n k
  let (runs, lengths) = run_length_encode (==) xs
  let again = run_length_decode runs lengths
  let (keys, counts, values) = group_by i32.sort_order (==) xs (iota n)
  let expected = reduce_by_index (replicate k 0) (+) 0 (map (\x -> i64.i32 x + k / 2) xs) (replicate n 1i64)
  let in_groups = run_length_decode keys counts
  let (keys_again, sums) = reduce_by_key i32.sort_order (==) (+) 0 xs (replicate n 1i64)
  let rises [m] (ks: [m]i32) = and (map (\i -> i == 0 || ks[i - 1] < ks[i]) (iota m))
  let is_stable i = i == 0 || xs[values[i - 1]] < xs[values[i]] || values[i - 1] < values[i]
  in ( length again == n && and (map (\i -> again[i] == xs[i]) (iota n))
     , rises keys && and (map2 (\key count -> expected[i64.i32 key + k / 2] == count) keys counts)
       && and (map (\i -> in_groups[i] == xs[values[i]] && is_stable i) (iota n))
     , rises keys_again && i64.sum sums == n && length keys == length keys_again
       && and (map (\i -> sums[i] == counts[i]) (indices sums))
     )

-- | The smallest, the largest, by a comparison of one's own too; more than there are is an error.
-- ==
-- entry: extremes
-- input { 2i64 [3i32, 1i32, 4i32, 1i32, 5i32] } output { [1i32, 1i32] [5i32, 4i32] [5i32, 4i32] }
-- input { 0i64 [3i32] } output { empty([0]i32) empty([0]i32) empty([0]i32) }
-- input { 0i64 empty([0]i32) } output { empty([0]i32) empty([0]i32) empty([0]i32) }
-- input { 2i64 [3i32] } error: H7002
-- input { -1i64 [3i32] } error: H70
entry extremes (k: i64) (xs: []i32) : ([k]i32, [k]i32, [k]i32) =
  (smallest k i32.sort_order xs, largest k i32.sort_order xs, smallest k (merge_order (>=)) xs)

-- | Segments of 1 to 64 elements: each ascends and holds what it held.
-- ==
-- entry: segments
-- input { 0i64 } output { true true }
-- input { 1i64 } output { true true }
-- input { 33i64 } output { true true }
-- input { 256i64 } output { true true }
-- input { 1023i64 } output { true true }
-- input { 65537i64 } output { true true }
entry segments (n: i64) : (bool, bool) =
  let xs = made n 1000
  let flags = map (\i -> i % 64 == 0 || i % 37 == 5) (iota n)
  let order = segmented_order i32.sort_order flags xs
  let ys = segmented_sort i32.sort_order flags xs
  let number = scan (+) 0 (map i64.bool flags)
  in ( and (map (\i -> ys[i] == xs[order[i]] && number[order[i]] == number[i]) (iota n))
       && and (map (== 1) (hist (+) 0 n order (replicate n 1i64)))
     , and (map (\i -> i == 0 || flags[i] || ys[i - 1] < ys[i] || (ys[i - 1] == ys[i] && order[i - 1] < order[i])) (iota n))
     )

-- | Classes as remainders; those outside come last.
-- ==
-- entry: classes
-- input { 3i64 [7i64, 1i64, 5i64, 3i64, 11i64, 9i64, 4i64] } output { [7i64, 1i64, 11i64, 9i64, 4i64, 5i64, 3i64] [0i64, 5i64, 0i64] }
-- input { 0i64 [2i64, 1i64] } output { [2i64, 1i64] empty([0]i64) }
-- input { 2i64 empty([0]i64) } output { empty([0]i64) [0i64, 0i64] }
entry classes (k: i64) (xs: []i64) = partition_by k (\x -> if x % 2 == 1 && x != 5 && x != 3 || x == 4 then 1 else -1) xs

-- ==
-- entry: many_classes
-- input { 65537i64 7i64 } output { true true }
-- input { 1000i64 255i64 } output { true true }
-- input { 1025i64 256i64 } output { true true }
-- input { 33i64 1000i64 } output { true true }
entry many_classes (n: i64) (k: i64) : (bool, bool) =
  let class i = (i * 7919) % (k + 1)
  let (ys, sizes) = partition_by k class (iota n)
  let in_order i = i == 0 || class ys[i - 1] < class ys[i] || (class ys[i - 1] == class ys[i] && ys[i - 1] < ys[i])
  in (and (map in_order (iota n)), i64.sum sizes + i64.sum (map (\i -> i64.bool (class i == k)) (iota n)) == n)
