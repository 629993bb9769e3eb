-- Where types are not written, the sizes of a local function, a lambda and a section are those of
-- each application; so are those of a result that depends on an argument.
-- ==
-- entry: mean
-- input { [1f32,-1f32,3f32] } output { 2f32 }
-- ==
-- entry: strided
-- input { 4i64 [1,2,3,4,5,6,7] } output { [1,4,7] }
-- ==
-- entry: zero
-- input { 1 } output { 0i64 0i64 }
-- ==
-- entry: padded
-- input { [[1,2],[3,4]] } output { [[1,2,0,0],[3,4,1,1]] }
-- ==
-- entry: both
-- input { [1,2] [3] } output { [2,3] [4] }
-- ==
-- entry: uncurried
-- input { 1i64 2i64 } output { [[true,true]] }
-- ==
-- entry: rendered
-- input { true 2i64 1i64 } output { [[1,2]] }
-- input { false 2i64 1i64 } output { [[2,3]] }
-- ==
-- entry: hidden
-- input { 5 } output { 7 }
-- ==
-- entry: dependent
-- input { [1,2,3] } output { 3 }
-- ==
-- entry: lifted
-- input { [1,2] } output { [1,2,1,2] }
-- ==
-- entry: summed
-- input { 2i64 } output { 2i64 }

entry mean (xs: []f32) =
  let mean x = f32.sum x / f32.i64 (length x) in xs |> filter (>= 0) |> mean

entry strided (n: i64) (xs: []i32) = (.[::n - 1]) xs

entry zero (_x: i32) =
  (let [k] (_: [k][k]i64) = [] in k, let [k][j] (_: [k][j]i64) = [] in k + j)

def pad [n] (m: i64) (a: [n][n]i32) =
  let row r i = (concat r (replicate n i) :> [m]i32) in map2 row a (map i32.i64 (iota n))

entry padded [n] (a: [n][n]i32) = pad (2 * n) a

entry both [n] [m] (a: [n]i32) (b: [m]i32) = let s xs = map (+ 1i32) xs in (s a, s b)

def filled (n: i64) (m: i64) (b: bool) = replicate n (replicate m b)
entry uncurried (a: i64) (b: i64) : [][]bool = uncurry filled (a, b) true

def picture (c: i32) (w: i64) (h: i64) = tabulate_2d h w (\y x -> i32.i64 (x + y) + c)

entry rendered (is_a: bool) (w: i64) (h: i64) : [][]i32 =
  let render f = f w h in if is_a then render (picture 1) else render (picture 2)

module m : {type~ t val mk : i32 -> *t val f : *t -> *t val first : t -> i32} = {
  type~ t = []i32
  def mk (x: i32) = [x, x + 1]
  def f (xs: *[]i32) = xs with [0] = 7
  def first (xs: []i32) = xs[0]
}

entry hidden (x: i32) = let h = \(xs: *m.t) -> m.f xs in m.first (h (m.mk x))

def chosen : (k: i64) -> [k]i32 -> i32 = let s _ xs = i32.i64 (length xs) in s
entry dependent [n] (xs: [n]i32) = chosen n xs

def ap '~a (g: (() -> a) -> a) (x: () -> a) = g x
entry lifted (xs: []i32) : []i32 = ap (\(p: () -> []i32) -> p () ++ p ()) (\() -> xs)

def made (n: i64) : #foo ([]i32) | #bar ([]i32) = #foo (replicate n 0)
entry summed (n: i64) = match made n case #foo x -> length x case #bar y -> -length y
