-- Records of functions that make other records of functions.
-- tolerance: exact
-- ==
-- input { 3i64 [1f32, 2f32, 3f32] }
-- output { [2.0f32, 4.0f32, 6.0f32, 102.0f32, 104.0f32, 106.0f32] 9i64 }
type^ stream 'a = {len: i64, at: i64 -> a}
def fromArray [n] 'a (xs: [n]a) : stream a = {len = n, at = \i -> xs[i]}
def smap 'a 'b (f: a -> b) (s: stream a) : stream b = {len = s.len, at = \i -> f (s.at i)}
def toArray 'a (s: stream a) : [](a) = map s.at (iota s.len)
def sconcat 'a (s: stream a) (t: stream a) : stream a = {len = s.len + t.len, at = \i -> if i < s.len then s.at i else t.at (i - s.len)}

entry main [n] (k: i64) (xs: [n]f32) =
  let s = fromArray xs |> smap (* 2)
  let t = sconcat s (smap (+ 100) s)
  in (toArray t, t.len + k)
