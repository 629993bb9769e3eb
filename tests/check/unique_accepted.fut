-- Programs that own what they consume, each a module of its own; there is nothing to run.
module m00 = {
  def apply 'a 'b (f: *a -> b) (x: *a) = f x
  def consume (xs: *[]i32) = xs with [0] = 0
  def f (arr: *[]i32) = apply consume arr
  def main (xs: *[]i32) = f xs
}

module m01 = {
  def g (t: *([]i64, []i64)) = 0
  def f n = let x = iota n in g (copy (x, x))
  def h n = g (iota n, iota n)
}

module m02 = {
  def x = [1, 2, 3]
  def f () = copy x
  def y = x
  def z = (x, y)
}

module m03 = {
  type~ s = {a: []i32, b: []f32}
  def f (s: *s) = {a = s.a with [0] = 1, b = s.b}
  def g (s: *s) = s with a = (s.a with [0] = 1)
  def h (s: *s) = let {a, b} = s in {a = a with [0] = 1, b = b with [0] = 2}
  def k (s: *s) = s with a[0] = 1
  def l (s: *s) : *s = let s.a[0] = 1 let s.b[1] = 2 in s
}

module m04 = {
  def f ((a, b): (*[]i32, []i32)) = (a with [0] = 1, b)
  def g (p: (*[]i32, []i32)) = p.0 with [0] = p.1[0]
  def h (a: *[]i32, b: *[]i32) = (a with [0] = 1, b with [0] = 1)
  def main (xs: *[]i32) (ys: []i32) = f (xs, ys)
}

module m05 = {
  def set2 = \(xs: *[]i32) -> xs with [0] = 1
  def set3 = set2
  def set4 : *[]i32 -> *[]i32 = \(xs: *[]i32) -> xs with [0] = 1
  def set5 : *[]i32 -> *[]i32 = set2
  def main (xs: *[]i32) = set5 (set4 (set3 (set2 xs)))
}

module m06 = {
  def main [n] (xs: *[n]i32) =
    let ys = map (+ 1) xs
    let xs[0] = ys[0]
    let zs = if n > 3 then xs else ys
    in zs with [1] = 2
}

module m07 = {
  def main [n] (xss: *[n][n]i32) =
    loop xss for i < n do
      let row = map (+ xss[i, 0]) xss[i]
      in xss with [i] = row
}

module m08 = {
  def f (x: *[]i32) (i: i32) : *[]i32 = if i == 0 then x else f (x with [0] = i) (i - 1)
  def g (x: *[]i32) (i: i32) = if i == 0 then x else g (x with [0] = i) (i - 1)
  def main (x: *[]i32) = g (f x 3) 4 with [1] = 2
}

module m09 = {
  def main (n: i64) =
    let xs = iota n
    let sum = i64.sum xs
    let f = \y -> y + sum
    let xs[0] = f 2
    in (xs, f 3)
}

module m10 = {
  def main (n: i64) (b: bool) =
    let (xs, ys) = if b then (iota n, replicate n 0) else (replicate n 1, iota n)
    let xs[0] = 1
    let ys[0] = 2
    in (xs, ys)
}

module m11 = {
  def main (xs: *[]i32) (ys: *[]i32) (b: bool) =
    let (a, c) = if b then (xs, ys) else (xs with [0] = 1, ys)
    in (a with [1] = 2, c)
}

module m12 = {
  def main [n] (xs: [n]i32) =
    let hist = loop h = replicate 10 0 for x in xs do h with [x] = h[x] + 1
    let (a, b) = loop (a, b) = (copy xs, 0) for i < n do (let x = a[i] in (a with [i] = b, b + x))
    in (hist, a, b)
}

module m13 = {
  def main [n] (xs: [n]f32) (steps: i32) : [n]f32 =
    let step (ys: *[n]f32): *[n]f32 = ys with [0] = ys[0] + 1
    in loop ys = copy xs for _i < steps do step ys
}

module m14 = {
  def main [n] (xs: *[n]i32) =
    let (evens, odds) = partition (\x -> x % 2 == 0) xs
    in (length evens, odds)
}

module m15 = {
  def f 'a [n] (xs: *[n]a) (x: a) : *[n]a = xs with [0] = x
  def main (xs: *[]i32) (yss: *[][2]i32) = (f xs 2, f yss [1, 2])
}

module m16 = {
  def swap 't [n] (xs: *[n]t) (i: i64) (j: i64) : *[n]t =
    let a = copy xs[i]
    let b = copy xs[j]
    let xs[i] = b
    let xs[j] = a
    in xs

  def main (xs: *[]i32) = loop xs for i < 3 do swap xs i (i + 1)
}

module m17 = {
  def main (xs: *[]i32) : *[]i32 =
    let n = length xs
    let f i = xs[i] + 1
    let ys = tabulate n f
    let zs = (xs :> [n]i32) with [0] = 3
    in map2 (+) zs ys
}

module m18 = {
  module m : {type~ t val mk : i64 -> *t val upd : *t -> i64 -> *t val get : t -> i64} = {
    type~ t = []i64
    def mk (n: i64) : *t = iota n
    def upd (x: *t) (i: i64) : *t = x with [i] = 0
    def get (x: t) = i64.sum x
  }

  def main (n: i64) = let x = m.mk n let y = m.upd x 1 in m.get y
}

module m19 = {
  def main (xs: *[]i32) =
    let ys = xs with [0] = 1 with [1] = 2 with [2] = 3
    in ys
}

module m20 = {
  def main (n: i64) =
    let a = iota n
    let b = a
    let c = b with [0] = 1
    in c
}

module m21 = {
  def f (xs: []i32) = xs
  def g = f >-> map (+ 1)
  def main (xs: []i32) = let ys = g xs in ys
}

module m22 = {
  def main (s: #a ([]i32) | #b) = match s case #a xs -> copy xs with [0] = 1 case #b -> []
}

module m23 = {
  def iter 'a (n: i32) (f: *a -> *a) (x: *a) : *a = loop x for _i < n do f x
  def main (xs: *[]i32) = iter 4 (\(ys: *[]i32) -> ys with [0] = ys[0] + 1) xs
}

module m24 = {
  def iter 'a (n: i32) (f: *a -> *a) (x: *a) : *a = loop x for _i < n do f x
  def main (xs: *[]i32) = iter 4 (\ys -> map (+ 1) ys) xs
}

module m25 = {
  def main [n] (a: *[n][n]i32) (b: [n]i32) =
    let a[0] = b
    let a[1, :] = copy a[0]
    let a[:, 2] = map (+ 1) a[:, 1]
    in a
}

module m26 = {
  def main [n] (xs: [n]i32) (is: [n]i64) =
    let dest = replicate 4 0
    let r1 = scatter (copy dest) is xs
    let r2 = reduce_by_index dest (+) 0 is xs
    in (r1, r2)
}

module m27 = {
  def main (x: i32) = let f = \(xs: *[]i32) -> xs with [0] = x in f [1, 2, 3]
}

module m28 = {
  def stream [n] (xs: [n]i32) =
    let (acc, _) = loop (acc, i) = ([] : []i32, 0) while i < n do (acc ++ [xs[i]], i + 1)
    in acc with [0] = 2
}

module m29 = {
  local def helper (xs: *[]i32) = xs with [0] = 1
  def main (xs: *[]i32) = helper (helper xs)
}

module m30 = {
  def grow (xs: *[]i32) : *[]i32 = xs ++ xs
  def main (xs: *[]i32) = loop xs for _i < 3i32 do grow xs
}

module m31 = {
  def main [n] (xs: *[n]i32) (ys: *[n]i32) =
    let (xs, ys) =
      loop (xs, ys) for i < n do
        if xs[i] > ys[i]
        then let (x, y) = (xs[i], ys[i]) in (xs with [i] = y, ys with [i] = x)
        else (xs, ys)
    in (xs, ys)
}

module m32 = {
  def main (xs: *[]i32) =
    let x = xs[0]
    in (xs with [0] = x + 1, x)
}

module m33 = {
  def r = {zero = [0, 0], one = 1}
  def main (x: i32) = map (+ x) r.zero
}

module m34 = {
  def main [n] (xs: [n][n]i32) : [n]i32 =
    let best = loop best = xs[0] for i < n do if xs[i, 0] > best[0] then xs[i] else best
    in best
}

module m35 = {
  def f [n] (dest: *[n]i32) (is: [n]i64) (vs: [n]i32) : *[n]i32 = loop dest for i < n do dest with [is[i]] = vs[i]
  def main [n] (xs: *[n]i32) = f (copy xs) (iota n) xs
}

module m36 = {
  def f (a: *[]i32) (b: i32) (c: []i32) = a with [0] = b + c[0]
  def main (xs: *[]i32) (ys: []i32) = f xs ys[0] ys
  def other (xs: *[]i32) = f xs xs[0] [1]
}
