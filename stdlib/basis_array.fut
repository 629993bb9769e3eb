-- Array functions that the language itself can express.

-- | The number of elements of the outermost dimension.
def length [n] 't (_: [n]t) : i64 = n

-- | Whether there are no elements.
def null [n] 't (_: [n]t) : bool = n == 0

-- | The first element.
def head [n] 't (xs: [n]t) : t = xs[0]

-- | The last element.
def last [n] 't (xs: [n]t) : t = xs[n - 1]

-- | Everything but the first element.
def tail [n] 't (xs: [n]t) : [n - 1]t = xs[1:]

-- | Everything but the last element.
def init [n] 't (xs: [n]t) : [n - 1]t = xs[0:n - 1]

-- | The first `i` elements.
def take [n] 't (i: i64) (xs: [n]t) : [i]t = xs[0:i]

-- | Everything but the first `i` elements.
def drop [n] 't (i: i64) (xs: [n]t) : [n - i]t = xs[i:]

-- | The elements in opposite order.
def reverse [n] 't (xs: [n]t) : [n]t = xs[::-1]

-- | The elements of the first array, then those of the second.
def (++) [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = concat xs ys

-- | The array with its size changed to `n`, which must be its length.
def sized [m] 't (n: i64) (xs: [m]t) : [n]t = xs :> [n]t

-- | `rep x` is as many times `x` as the context needs.
def rep [n] 't (x: t) : *[n]t = replicate n x

-- | The valid indices of an array.
def indices [n] 't (_: [n]t) : *[n]i64 = iota n

-- | The first `n` elements and the rest; the sizes come from where the result is used.
def split [n] [m] 't (xs: [n + m]t) : ([n]t, [m]t) = (xs[0:n], xs[n:])

-- | Joins the three outermost dimensions.
def flatten_3d [n] [m] [l] 't (xs: [n][m][l]t) : [n * m * l]t = flatten (flatten xs)

-- | Joins the four outermost dimensions.
def flatten_4d [n] [m] [l] [k] 't (xs: [n][m][l][k]t) : [n * m * l * k]t =
  flatten (flatten_3d xs)

-- | Splits the outermost dimension in three; the sizes come from where the result is used.
def unflatten_3d [n] [m] [l] 't (xs: [n * m * l]t) : [n][m][l]t = unflatten (unflatten xs)

-- | Splits the outermost dimension in four; the sizes come from where the result is used.
def unflatten_4d [n] [m] [l] [k] 't (xs: [n * m * l * k]t) : [n][m][l][k]t =
  unflatten (unflatten_3d xs)

-- | Moves elements `r` places to the left, around the end.
def rotate [n] 't (r: i64) (xs: [n]t) : [n]t = map (\i -> xs[(i + r) % n]) (iota n)

-- | Element `i` is `f i`.
def tabulate 'a (n: i64) (f: i64 -> a) : *[n]a = map f (iota n)

-- | `tabulate` under its numbered name.
def tabulate_1d 'a (n: i64) (f: i64 -> a) : *[n]a = map f (iota n)

-- | Element `[i][j]` is `f i j`.
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a) : *[n][m]a =
  map (\i -> map (f i) (iota m)) (iota n)

-- | Element `[i][j][k]` is `f i j k`.
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a) : *[n][m][o]a =
  map (\i -> map (\j -> map (f i j) (iota o)) (iota m)) (iota n)
