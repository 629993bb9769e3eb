-- Built-ins of the engines: second-order array combinators and operations that move whole arrays.
-- Files of this folder are loaded in the order of their names, as one environment.

-- | Applies a function to every element.
val map 'a [n] 'x : (a -> x) -> [n]a -> *[n]x

-- | `map` under its numbered name.
val map1 'a [n] 'x : (a -> x) -> [n]a -> *[n]x

-- | Applies a function to the elements of two arrays of one length, pairwise.
val map2 'a 'b [n] 'x : (a -> b -> x) -> [n]a -> [n]b -> *[n]x

-- | As `map2`, with three arrays.
val map3 'a 'b 'c [n] 'x : (a -> b -> c -> x) -> [n]a -> [n]b -> [n]c -> *[n]x

-- | As `map2`, with four arrays.
val map4 'a 'b 'c 'd [n] 'x : (a -> b -> c -> d -> x) -> [n]a -> [n]b -> [n]c -> [n]d -> *[n]x

-- | As `map2`, with five arrays.
val map5 'a 'b 'c 'd 'e [n] 'x : (a -> b -> c -> d -> e -> x) -> [n]a -> [n]b -> [n]c -> [n]d -> [n]e -> *[n]x

-- | Combines all elements with an associative operator that has the given neutral element.
val reduce [n] 'a : (a -> a -> a) -> a -> [n]a -> a

-- | As `reduce`; the operator must also be commutative.
val reduce_comm [n] 'a : (a -> a -> a) -> a -> [n]a -> a

-- | All prefixes combined: element `i` of the result covers the elements `0` to `i`.
val scan [n] 'a : (a -> a -> a) -> a -> [n]a -> *[n]a

-- | `scatter dest is vs` writes `vs[i]` to position `is[i]` of `dest`; positions outside are ignored.
-- Of several values for one position any may be kept.
val scatter 't [k] [n] : *[k]t -> [n]i64 -> [n]t -> *[k]t

-- | As `scatter`, for a matrix; an index is `(row, column)`.
val scatter_2d 't [k] [n] [l] : *[k][n]t -> [l](i64, i64) -> [l]t -> *[k][n]t

-- | As `scatter`, for three dimensions; an index goes from the outermost axis to the innermost.
val scatter_3d 't [k] [n] [o] [l] : *[k][n][o]t -> [l](i64, i64, i64) -> [l]t -> *[k][n][o]t

-- | `reduce_by_index dest op ne is as` combines every `as[i]` into position `is[i]` of `dest`;
-- positions outside are ignored. The operator is associative and commutative, `ne` its neutral
-- element.
val reduce_by_index 'a [k] [n] : *[k]a -> (a -> a -> a) -> a -> [n]i64 -> [n]a -> *[k]a

-- | As `reduce_by_index`, for a matrix; an index is `(row, column)`.
val reduce_by_index_2d 'a [k] [m] [n] : *[k][m]a -> (a -> a -> a) -> a -> [n](i64, i64) -> [n]a -> *[k][m]a

-- | As `reduce_by_index`, for three dimensions.
val reduce_by_index_3d 'a [k] [m] [o] [n] : *[k][m][o]a -> (a -> a -> a) -> a -> [n](i64, i64, i64) -> [n]a -> *[k][m][o]a

-- | Maps to arrays of different sizes and joins them: `(shapes, flags, offsets, data, rest)`. Array `i`
-- has `shapes[i]` elements and begins at `offsets[i]` of `data`; `flags` is true where one begins.
-- The second result of the function is mapped as by `map`.
val flatmap [n] 'a 'b 'c : (a -> ?[k].([k]b, c)) -> [n]a -> ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c)

-- | `replicate n x` is `n` times `x`.
val replicate 't : (n: i64) -> t -> *[n]t

-- | The integers from `0` to `n - 1`.
val iota : (n: i64) -> *[n]i64

-- | Two arrays of one length as one array of pairs.
val zip [n] 'a 'b : [n]a -> [n]b -> *[n](a, b)

-- | `zip` under its numbered name.
val zip2 [n] 'a 'b : [n]a -> [n]b -> *[n](a, b)

-- | As `zip`, with three arrays.
val zip3 [n] 'a 'b 'c : [n]a -> [n]b -> [n]c -> *[n](a, b, c)

-- | As `zip`, with four arrays.
val zip4 [n] 'a 'b 'c 'd : [n]a -> [n]b -> [n]c -> [n]d -> *[n](a, b, c, d)

-- | As `zip`, with five arrays.
val zip5 [n] 'a 'b 'c 'd 'e : [n]a -> [n]b -> [n]c -> [n]d -> [n]e -> *[n](a, b, c, d, e)

-- | An array of pairs as a pair of arrays.
val unzip [n] 'a 'b : [n](a, b) -> ([n]a, [n]b)

-- | `unzip` under its numbered name.
val unzip2 [n] 'a 'b : [n](a, b) -> ([n]a, [n]b)

-- | As `unzip`, for triples.
val unzip3 [n] 'a 'b 'c : [n](a, b, c) -> ([n]a, [n]b, [n]c)

-- | As `unzip`, for 4-tuples.
val unzip4 [n] 'a 'b 'c 'd : [n](a, b, c, d) -> ([n]a, [n]b, [n]c, [n]d)

-- | As `unzip`, for 5-tuples.
val unzip5 [n] 'a 'b 'c 'd 'e : [n](a, b, c, d, e) -> ([n]a, [n]b, [n]c, [n]d, [n]e)

-- | Swaps the two outermost dimensions.
val transpose [n] [m] 't : [n][m]t -> [m][n]t

-- | Joins the two outermost dimensions.
val flatten [n] [m] 't : [n][m]t -> [n * m]t

-- | Splits the outermost dimension in two; the sizes come from where the result is used.
val unflatten [n] [m] 't : [n * m]t -> [n][m]t

-- | The elements of the first array, then those of the second.
val concat [n] [m] 't : [n]t -> [m]t -> *[n + m]t

-- | A fresh copy, which may be consumed.
val copy 't : t -> *t

-- | As `copy`; the result is laid out row by row.
val manifest 't : t -> *t
