-- k-means: histograms with rows, sizes as parameters of types.
-- ==
-- input { 2i64 10i32 [[1f32,1f32],[1.5f32,2f32],[9f32,9f32],[10f32,8f32]] }
-- output { [[1.25f32, 1.5f32], [9.5f32, 8.5f32]] [0i32, 0i32, 1i32, 1i32] }
type point [d] = [d]f32
def euclid [d] (a: point [d]) (b: point [d]) : f32 = f32.sum (map (** 2) (map2 (-) a b))
def closest (p: (i32, f32)) (q: (i32, f32)) : (i32, f32) = if p.1 < q.1 then p else q

def nearest [d] [k] (cs: [k](point [d])) (p: point [d]) : i32 =
  let (i, _) = reduce_comm closest (0, euclid p cs[0]) (zip (map i32.i64 (iota k)) (map (euclid p) cs))
  in i

def centroids [n] [d] (k: i64) (ps: [n](point [d])) (ms: [n]i32) : [k](point [d]) =
  let counts = reduce_by_index (replicate k 0) (+) 0 (map i64.i32 ms) (replicate n 1i32)
  let sums = reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) (map i64.i32 ms) ps
  in map2 (\p c -> map (/ f32.i32 (i32.max 1 c)) p) sums counts

entry main [n] [d] (k: i64) (max: i32) (ps: [n](point [d])) =
  let cs = take k ps
  let (cs, ms, _) =
    loop (cs, ms, i) = (cs, replicate n 0, 0)
    while i < max do
      let ms' = map (nearest cs) ps
      in (centroids k ps ms', ms', i + 1)
  in (cs, ms)
