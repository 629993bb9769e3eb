-- Combinators that the language itself can express on top of the built-in ones.

-- | Whether all are true.
def and [n] (xs: [n]bool): bool = reduce_comm (&&) true xs

-- | Whether one is true.
def or [n] (xs: [n]bool): bool = reduce_comm (||) false xs

-- | Whether `p` holds for all elements.
def all [n] 'a (p: a -> bool) (xs: [n]a): bool = and (map p xs)

-- | Whether `p` holds for some element.
def any [n] 'a (p: a -> bool) (xs: [n]a): bool = or (map p xs)

-- | Folds from the left, in sequence.
def foldl [n] 'a 'b (f: a -> b -> a) (start: a) (xs: [n]b): a =
  loop acc = start for x in xs do f acc x

-- | Folds from the right, in sequence.
def foldr [n] 'a 'b (f: b -> a -> a) (start: a) (xs: [n]b): a =
  loop acc = start for i < n do f xs[n - 1 - i] acc

-- | The prefixes combined without the element itself: `scan`, moved by one.
def exscan [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a): *[n]a =
  let sums = scan op ne xs
  in map (\i -> if i == 0 then ne else sums[i - 1]) (iota n)

-- | `hist op ne k is as`: for each of `k` positions, the `as[i]` whose `is[i]` is that position,
-- combined. The operator is associative and commutative, `ne` its neutral element.
def hist 'a [n] (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (as: [n]a): *[k]a =
  reduce_by_index (replicate k ne) op ne is as

-- | `scatter` into an array of `k` times `x`.
def spread 't [n] (k: i64) (x: t) (is: [n]i64) (vs: [n]t): *[k]t =
  scatter (replicate k x) is vs

-- | `scatter` with the destination last.
def write 't [k] [n] (is: [n]i64) (vs: [n]t) (dest: *[k]t): *[k]t = scatter dest is vs

-- | The elements for which `p` holds, in their order.
def filter [n] 'a (p: a -> bool) (xs: [n]a): *[]a =
  let flags = map (\x -> if p x then 1i64 else 0) xs
  let ends = scan (+) 0 flags
  let count = if n == 0 then 0 else ends[n - 1]
  let places = map2 (\flag end -> if flag == 1 then end - 1 else -1) flags ends
  let kept = scatter (replicate n 0) places (iota n)
  in map (\i -> xs[kept[i]]) (iota count)

-- | The elements for which `p` holds, and the others.
def partition [n] 'a (p: a -> bool) (xs: [n]a): ?[k].([k]a, [n - k]a) =
  let flags = map (\x -> if p x then 1i64 else 0) xs
  let ends = scan (+) 0 flags
  let k = if n == 0 then 0 else ends[n - 1]
  let place i = if flags[i] == 1 then ends[i] - 1 else k + i - ends[i]
  let order = scatter (replicate n 0) (map place (iota n)) (iota n)
  in (map (\i -> xs[order[i]]) (iota k), map (\i -> xs[order[k + i]]) (iota (n - k)))

-- | The elements for which `p` holds, those of the others for which `q` holds, and the rest.
def partition2 [n] 'a (p: a -> bool) (q: a -> bool) (xs: [n]a)
                    : ?[k][l].([k]a, [l]a, [n - k - l]a) =
  let classes = map (\x -> if p x then 0i64 else if q x then 1 else 2) xs
  let firsts = scan (+) 0 (map (\c -> if c == 0 then 1i64 else 0) classes)
  let seconds = scan (+) 0 (map (\c -> if c == 1 then 1i64 else 0) classes)
  let k = if n == 0 then 0 else firsts[n - 1]
  let l = if n == 0 then 0 else seconds[n - 1]
  let place i = if classes[i] == 0 then firsts[i] - 1
                else if classes[i] == 1 then k + seconds[i] - 1
                else k + l + i - firsts[i] - seconds[i]
  let order = scatter (replicate n 0) (map place (iota n)) (iota n)
  in ( map (\i -> xs[order[i]]) (iota k)
     , map (\i -> xs[order[k + i]]) (iota l)
     , map (\i -> xs[order[k + l + i]]) (iota (n - k - l)))

-- | `flatmap` without a second result.
def flatmap' [n] 'a 'b (f: a -> ?[k].[k]b) (xs: [n]a): ?[m].([n]i64, [m]bool, [n]i64, [m]b) =
  let (shapes, flags, offsets, data, _) = flatmap (\x -> (f x, ())) xs
  in (shapes, flags, offsets, data)
