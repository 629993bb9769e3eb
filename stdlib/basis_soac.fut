-- Combinators that the language itself can express on top of the built-in ones.

-- | Whether all are true.
def and [n] (xs: [n]bool) : bool = reduce_comm (&&) true xs

-- | Whether one is true.
def or [n] (xs: [n]bool) : bool = reduce_comm (||) false xs

-- | Whether `p` holds for all elements.
def all [n] 'a (p: a -> bool) (xs: [n]a) : bool = and (map p xs)

-- | Whether `p` holds for some element.
def any [n] 'a (p: a -> bool) (xs: [n]a) : bool = or (map p xs)

-- | Folds from the left, in sequence.
def foldl [n] 'a 'b (f: a -> b -> a) (start: a) (xs: [n]b) : a =
  loop acc = start for x in xs do f acc x

-- | Folds from the right, in sequence.
def foldr [n] 'a 'b (f: b -> a -> a) (start: a) (xs: [n]b) : a =
  loop acc = start for i < n do f xs[n - 1 - i] acc

-- | The prefixes combined without the element itself: `scan`, moved by one.
def exscan [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a) : *[n]a =
  let sums = scan op ne xs
  in map (\i -> if i == 0 then ne else sums[i - 1]) (iota n)

-- | `hist op ne k is as`: for each of `k` positions, the `as[i]` whose `is[i]` is that position,
-- combined. The operator is associative and commutative, `ne` its neutral element.
def hist 'a [n] (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (as: [n]a) : *[k]a =
  reduce_by_index (replicate k ne) op ne is as

-- | `scatter` into an array of `k` times `x`.
def spread 't [n] (k: i64) (x: t) (is: [n]i64) (vs: [n]t) : *[k]t =
  scatter (replicate k x) is vs

-- | `scatter` with the destination last.
def write 't [k] [n] (is: [n]i64) (vs: [n]t) (dest: *[k]t) : *[k]t = scatter dest is vs

-- | The elements for which `p` holds, in their order.
def filter [n] 'a (p: a -> bool) (xs: [n]a) : *[]a =
  let flags = map (\x -> if p x then 1i64 else 0) xs
  let ends = scan (+) 0 flags
  let count = reduce (+) 0 flags
  let places = map2 (\flag end -> if flag == 1 then end - 1 else -1) flags ends
  let kept = scatter (#[scratch] copy xs) places xs
  in kept[:count]

-- | The elements for which `p` holds, and the others.
def partition [n] 'a (p: a -> bool) (xs: [n]a) : ?[k].([k]a, [n - k]a) =
  let flags = map (\x -> if p x then 1i64 else 0) xs
  let ends = scan (+) 0 flags
  let k = reduce (+) 0 flags
  let front = map2 (\flag end -> if flag == 1 then end - 1 else -1) flags ends
  let back = map3 (\flag end i -> if flag == 1 then -1 else i - end) flags ends (iota n)
  let holds = scatter (#[scratch] copy xs) front xs
  let others = scatter (#[scratch] copy xs) back xs
  in (holds[:k], others[:n - k])

-- | As `partition`, but the others come in opposite order, which is less work.
def semipartition [n] 'a (p: a -> bool) (xs: [n]a) : ?[k].([k]a, [n - k]a) =
  let flags = map (\x -> if p x then 1i64 else 0) xs
  let ends = scan (+) 0 flags
  let k = reduce (+) 0 flags
  let place flag end i = if flag == 1 then end - 1 else n - 1 - (i - end)
  let both = scatter (#[scratch] copy xs) (map3 place flags ends (iota n)) xs
  in (both[:k], both[k:])

-- | The elements for which `p` holds, those of the others for which `q` holds, and the rest.
def partition2 [n] 'a (p: a -> bool) (q: a -> bool) (xs: [n]a) : ?[k][l].([k]a, [l]a, [n - k - l]a) =
  let classes = map (\x -> if p x then 0i64 else if q x then 1 else 2) xs
  let is c = map (\class -> i64.bool (class == c)) classes
  let firsts = scan (+) 0 (is 0)
  let seconds = scan (+) 0 (is 1)
  let k = reduce (+) 0 (is 0)
  let l = reduce (+) 0 (is 1)
  let fst = map2 (\c a -> if c == 0 then a - 1 else -1) classes firsts
  let snd = map2 (\c b -> if c == 1 then b - 1 else -1) classes seconds
  let trd = map4 (\c a b i -> if c == 2 then i - a - b else -1) classes firsts seconds (iota n)
  let to places = scatter (#[scratch] copy xs) places xs
  in ((to fst)[:k], (to snd)[:l], (to trd)[:n - k - l])

-- | `flatmap` without a second result.
def flatmap' [n] 'a 'b (f: a -> ?[k].[k]b) (xs: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b) =
  let (shapes, flags, offsets, data, _) = flatmap (\x -> (f x, ())) xs
  in (shapes, flags, offsets, data)
