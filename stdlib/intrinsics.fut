-- Names of Futhark's compiler that programs use: strided views of one-dimensional arrays, and
-- accumulators. A function that writes to an accumulator runs once for each of its writes, for all
-- elements at a time: an accumulator keeps only the write whose number is `target`.

-- | Regular parts of an array: `flat_index_2d xs offset n1 s1 n2 s2` has at `[i][j]` the element
-- `offset + i * s1 + j * s2`, and `flat_update_2d` writes there.
module intrinsics = {
  -- | `n1` elements, `s1` apart.
  def flat_index_1d [n] 't (xs: [n]t) (offset: i64) (n1: i64) (s1: i64) : [n1]t =
    tabulate n1 (\i -> xs[offset + i * s1])

  -- | `n1` rows, `s1` apart, of `n2` elements, `s2` apart.
  def flat_index_2d [n] 't (xs: [n]t) (offset: i64) (n1: i64) (s1: i64) (n2: i64) (s2: i64) : [n1][n2]t =
    tabulate_2d n1 n2 (\i j -> xs[offset + i * s1 + j * s2])

  -- | As `flat_index_2d`, with three axes.
  def flat_index_3d [n] 't
                    (xs: [n]t)
                    (offset: i64)
                    (n1: i64)
                    (s1: i64)
                    (n2: i64)
                    (s2: i64)
                    (n3: i64)
                    (s3: i64) : [n1][n2][n3]t =
    tabulate_3d n1 n2 n3 (\i j k -> xs[offset + i * s1 + j * s2 + k * s3])

  -- | As `flat_index_2d`, with four axes.
  def flat_index_4d [n] 't
                    (xs: [n]t)
                    (offset: i64)
                    (n1: i64)
                    (s1: i64)
                    (n2: i64)
                    (s2: i64)
                    (n3: i64)
                    (s3: i64)
                    (n4: i64)
                    (s4: i64) : [n1][n2][n3][n4]t =
    let place h i j k = offset + h * s1 + i * s2 + j * s3 + k * s4
    in tabulate n1 (\h -> tabulate_3d n2 n3 n4 (\i j k -> xs[place h i j k]))

  -- | `xs`, if it has the first and last of `count` places, from `offset` on.
  def flat_checked [n] 't (xs: *[n]t) (count: i64) (offset: i64) (lasts: [4]i64) : *[n]t =
    if count == 0
    then xs
    else let low = offset + i64.sum (map (i64.min 0) lasts)
         let high = offset + i64.sum (map (i64.max 0) lasts)
         let _ = xs[low]
         let _ = xs[high]
         in xs

  -- | Writes `ys` to the places of `flat_index_1d`; one outside is an error.
  def flat_update_1d [n] [k] 't (xs: *[n]t) (offset: i64) (s1: i64) (ys: [k]t) : *[n]t =
    scatter (flat_checked xs k offset [(k - 1) * s1, 0, 0, 0]) (tabulate k (\i -> offset + i * s1)) ys

  -- | Writes `ys` to the places of `flat_index_2d`; one outside is an error.
  def flat_update_2d [n] [k] [l] 't (xs: *[n]t) (offset: i64) (s1: i64) (s2: i64) (ys: [k][l]t) : *[n]t =
    scatter (flat_checked xs (k * l) offset [(k - 1) * s1, (l - 1) * s2, 0, 0])
            (flatten (tabulate_2d k l (\i j -> offset + i * s1 + j * s2)))
            (flatten ys)

  -- | Writes `ys` to the places of `flat_index_3d`; one outside is an error.
  def flat_update_3d [n] [k] [l] [p] 't
                     (xs: *[n]t)
                     (offset: i64)
                     (s1: i64)
                     (s2: i64)
                     (s3: i64)
                     (ys: [k][l][p]t) : *[n]t =
    let places = tabulate_3d k l p (\i j m -> offset + i * s1 + j * s2 + m * s3)
    let lasts = [(k - 1) * s1, (l - 1) * s2, (p - 1) * s3, 0]
    in scatter (flat_checked xs (k * l * p) offset lasts) (flatten_3d places) (flatten_3d ys)

  -- | Writes `ys` to the places of `flat_index_4d`; one outside is an error.
  def flat_update_4d [n] [k] [l] [p] [q] 't
                     (xs: *[n]t)
                     (offset: i64)
                     (s1: i64)
                     (s2: i64)
                     (s3: i64)
                     (s4: i64)
                     (ys: [k][l][p][q]t) : *[n]t =
    let place h = tabulate_3d l p q (\i j m -> offset + h * s1 + i * s2 + j * s3 + m * s4)
    let lasts = [(k - 1) * s1, (l - 1) * s2, (p - 1) * s3, (q - 1) * s4]
    in scatter (flat_checked xs (k * l * p * q) offset lasts) (flatten_4d (tabulate k place)) (flatten_4d ys)

  -- | An accumulator of writes to an array of type `t`; it can be written to, and handed on.
  type~ acc 't = accumulator t

  -- | Writes `v` to the place `i` of the array of `acc`; outside of it nothing happens.
  def acc_write [k] 'a (acc: *acc ([k]a)) (i: i64) (v: a) : *acc ([k]a) =
    let is_kept = acc.count == acc.target
    let index = if is_kept then i else acc.index
    let value = if is_kept then copy v else acc.value
    in {count = acc.count + 1, index, shape = acc.shape, target = acc.target, value}

  -- | Of each element, the number of writes, and place and value of the one of number `target`.
  def acc_writes [k] [n] 'a 'b
                 (f: *acc ([k]a) -> b -> acc ([k]a))
                 (nothing: a)
                 (bs: [n]b)
                 (target: i64) : ([n]i64, [n]i64, [n]a) =
    unzip3 (map (\b ->
                   let start =
                     { count = 0
                     , index = -1
                     , shape = replicate k ()
                     , target
                     , value = copy nothing
                     }
                   let end = f start b
                   in (end.count, end.index, copy end.value))
                bs)

  -- | The last write of each kind that functions of the elements do: `f acc b` writes to `acc`.
  def scatter_stream [k] [n] 'a 'b (dest: *[k]a) (f: *acc ([k]a) -> b -> acc ([k]a)) (bs: [n]b) : *[k]a =
    if k == 0
    then dest
    else let nothing = copy dest[0]
         let (counts, is, vs) = acc_writes f nothing bs 0
         in loop (dest: *[k]a) = scatter dest is vs
            for j < i64.max 1 (i64.maximum counts) - 1 do
              let (_, is, vs) = acc_writes f nothing bs (j + 1)
              in scatter dest is vs

  -- | As `scatter_stream`; written elements are combined with present ones, by an operator that is
  -- associative and commutative and has the neutral element `ne`.
  def hist_stream [k] [n] 'a 'b
                  (dest: *[k]a)
                  (op: a -> a -> a)
                  (ne: a)
                  (f: *acc ([k]a) -> b -> acc ([k]a))
                  (bs: [n]b) : *[k]a =
    let (counts, is, vs) = acc_writes f ne bs 0
    in loop (dest: *[k]a) = reduce_by_index dest op ne is vs
       for j < i64.max 1 (i64.maximum counts) - 1 do
         let (_, is, vs) = acc_writes f ne bs (j + 1)
         in reduce_by_index dest op ne is vs
}

-- | The type of accumulators; `intrinsics` has what works on them.
type~ acc 't = intrinsics.acc t
