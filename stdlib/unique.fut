-- Equal neighbours and groups of equal keys. An `order` is an arg-sort such as `i32.sort_order` or
-- `merge_order (<=)`: where the smallest element stands, the next one, and so on.

-- | Whether an element differs from the one in front of it, by the given equality; so the first one does.
def run_starts [n] 't (same: t -> t -> bool) (xs: [n]t) : [n]bool =
  map2 (\i x -> i == 0 || !(same xs[i - 1] x)) (iota n) xs

-- | The first element of each run of equal neighbours: of a sorted array its different elements.
def unique [n] 't (same: t -> t -> bool) (xs: [n]t) : []t =
  let (_, firsts) = unzip (filter (.0) (zip (run_starts same xs) xs))
  in firsts

-- | The first element of each run of equal neighbours, and how long the runs are.
def run_length_encode [n] 't (same: t -> t -> bool) (xs: [n]t) : ?[k].([k]t, [k]i64) =
  let starts = run_starts same xs
  let [k] (kept: [k](bool, t, i64)) = filter (.0) (zip3 starts xs (iota n))
  let (_, values, firsts) = unzip3 kept
  let count r = (if r + 1 == k then n else firsts[r + 1]) - firsts[r]
  in (values, map count (iota k))

-- | Each element as often as its count says, which is not negative: undoes `run_length_encode`.
def run_length_decode [k] 't (xs: [k]t) (counts: [k]i64) : []t =
  let starts = exscan (+) 0 counts
  let runs = hist i64.max 0 (i64.sum counts) starts (iota k)
  in map (\r -> xs[r]) (scan i64.max 0 runs)

-- | The different keys in order, how many values each has, and the values in the order of their keys.
def group_by [n] 'k 'v (order: [n]k -> [n]i64) (same: k -> k -> bool) (keys: [n]k) (values: [n]v) : ?[g].([g]k, [g]i64, [n]v) =
  let places = order keys
  let (different, counts) = run_length_encode same (map (\i -> keys[i]) places)
  in (different, counts, map (\i -> values[i]) places)

-- | As `reduce` with the values of each key: the different keys in order, and their results.
def reduce_by_key [n] 'k 'v (order: [n]k -> [n]i64) (same: k -> k -> bool) (op: v -> v -> v) (ne: v) (keys: [n]k) (values: [n]v) : ?[g].([g]k, [g]v) =
  let places = order keys
  let sorted = map (\i -> keys[i]) places
  let add (v, f) (w, g) = (if g then w else op v w, f || g)
  let sums = scan add (ne, false) (zip (map (\i -> values[i]) places) (run_starts same sorted))
  let is_last i = i + 1 == n || !(same sorted[i] sorted[i + 1])
  let lasts = filter is_last (iota n)
  in (map (\i -> sorted[i]) lasts, map (\i -> sums[i].0) lasts)

-- | The `k` smallest elements, smaller ones first; of equal ones the first.
def smallest [n] 't (k: i64) (order: [n]t -> [n]i64) (xs: [n]t) : [k]t =
  map (\i -> xs[i]) (take k (order xs))

-- | The `k` largest elements, larger ones first; of equal ones the last.
def largest [n] 't (k: i64) (order: [n]t -> [n]i64) (xs: [n]t) : [k]t =
  map (\i -> xs[i]) (take k (reverse (order xs)))

-- | The order within each segment; a flag is true where a segment begins.
def segmented_order [n] 't (order: [n]t -> [n]i64) (flags: [n]bool) (xs: [n]t) : [n]i64 =
  let places = order xs
  let segments = scan (+) 0 (map i64.bool flags)
  -- Stable: within a segment the order stays.
  let by_segment =
    if n < (1 << 32)
    then u32.sort_order (map (\i -> u32.i64 segments[i]) places)
    else i64.sort_order (map (\i -> segments[i]) places)
  in map (\i -> places[i]) by_segment

-- | The elements of each segment in order; a flag is true where a segment begins.
def segmented_sort [n] 't (order: [n]t -> [n]i64) (flags: [n]bool) (xs: [n]t) : [n]t =
  map (\i -> xs[i]) (segmented_order order flags xs)

-- | The elements of class 0, those of class 1, and so on, each class in its order, and the sizes of
-- the `k` classes. Elements of other classes stand behind them all.
def partition_by [n] 't (k: i64) (class: t -> i64) (xs: [n]t) : ([n]t, [k]i64) =
  let classes = map class xs
  let inside c = if 0 <= c && c < k then c else k
  let order =
    if k < 256
    then u8.sort_order (map (\c -> u8.i64 (inside c)) classes)
    else i64.sort_order (map inside classes)
  in (map (\i -> xs[i]) order, hist (+) 0 k classes (replicate n 1))
