-- Segmented scan and reduction.
-- tolerance: exact
-- ==
-- input { [1i32,2i32,3i32,4i32] }
-- output { [1i32, 3i32, 3i32, 7i32] [2i32, 12i32] }
def segscan [n] 't (op: t -> t -> t) (ne: t) (arr: [n](t, bool)) : *[n]t =
  (unzip (scan (\(x, a) (y, b) -> ((if b then y else x `op` y), a || b)) (ne, false) arr)).0

def segreduce [n] 't (op: t -> t -> t) (ne: t) (arr: [n](t, bool)) =
  let as = (unzip arr).0
  let segment_starts = (unzip arr).1
  let segment_ends = rotate 1 segment_starts
  let as = segscan op ne (zip as segment_starts)
  let segment_end_offsets = segment_ends |> map i64.bool |> scan (+) 0
  let num_segments = if n > 1 then last segment_end_offsets else 0
  let scratch = replicate num_segments ne
  let index i f = if f then i - 1 else -1
  in scatter scratch (map2 index segment_end_offsets segment_ends) as

entry main [n] (xs: [n]i32) = (segscan (+) 0 (zip xs (map (\x -> x % 2 == 1) xs)), segreduce (*) 1 (zip xs (map (\x -> x % 2 == 1) xs)))
