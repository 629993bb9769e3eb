-- Array functions that the language itself can express.

-- | The number of elements of the outermost dimension.
def length [n] 't (_: [n]t): i64 = n

-- | Whether there are no elements.
def null [n] 't (_: [n]t): bool = n == 0

-- | The first element.
def head [n] 't (xs: [n]t): t = xs[0]

-- | The last element.
def last [n] 't (xs: [n]t): t = xs[n - 1]

-- | Everything but the first element.
def tail [n] 't (xs: [n]t): [n - 1]t = xs[1:]

-- | Everything but the last element.
def init [n] 't (xs: [n]t): [n - 1]t = xs[0:n - 1]

-- | The first `i` elements.
def take [n] 't (i: i64) (xs: [n]t): [i]t = xs[0:i]

-- | Everything but the first `i` elements.
def drop [n] 't (i: i64) (xs: [n]t): [n - i]t = xs[i:]

-- | The elements in opposite order.
def reverse [n] 't (xs: [n]t): [n]t = xs[::-1]

-- | The elements of the first array, then those of the second.
def (++) [n] [m] 't (xs: [n]t) (ys: [m]t): *[n + m]t = concat xs ys

-- | The array with its size changed to `n`, which must be its length.
def sized [m] 't (n: i64) (xs: [m]t): [n]t = xs :> [n]t

-- | `rep x` is as many times `x` as the context needs.
def rep [n] 't (x: t): *[n]t = replicate n x

-- | The valid indices of an array.
def indices [n] 't (_: [n]t): *[n]i64 = iota n

-- | Moves elements `r` places to the left, around the end.
def rotate [n] 't (r: i64) (xs: [n]t): [n]t = map (\i -> xs[(i + r) % n]) (iota n)

-- | Element `i` is `f i`.
def tabulate 'a (n: i64) (f: i64 -> a): *[n]a = map f (iota n)

-- | `tabulate` under its numbered name.
def tabulate_1d 'a (n: i64) (f: i64 -> a): *[n]a = map f (iota n)

-- | Element `[i][j]` is `f i j`.
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a): *[n][m]a =
  map (\i -> map (f i) (iota m)) (iota n)

-- | Element `[i][j][k]` is `f i j k`.
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a): *[n][m][o]a =
  map (\i -> map (\j -> map (f i j) (iota o)) (iota m)) (iota n)

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

-- | The elements for which `p` holds, in their order.
def filter [n] 'a (p: a -> bool) (xs: [n]a): *[]a =
  let flags = map (\x -> if p x then 1i64 else 0) xs
  let ends = scan (+) 0 flags
  let count = if n == 0 then 0 else ends[n - 1]
  let places = map2 (\flag end -> if flag == 1 then end - 1 else -1) flags ends
  let kept = scatter (replicate n 0) places (iota n)
  in map (\i -> xs[kept[i]]) (iota count)

-- | `scatter` with the destination last.
def write 't [k] [n] (is: [n]i64) (vs: [n]t) (dest: *[k]t): *[k]t = scatter dest is vs
