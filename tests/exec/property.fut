-- Properties: true for random arguments, or for those that a generator makes.
-- ==
-- property: reversed twice
-- property: below
entry reversed (n: i64) (xs: []i32) : bool = n == n && reverse (reverse xs) == xs
entry twice (x: i32) (y: i32) : bool = x + y == y + x
entry numbers (size: i64) (seed: i64) : []i64 = map (\i -> (i * seed) % (size + 1)) (iota size)

#[prop(gen(numbers), size(20))]
entry below (xs: []i64) : bool = all (<= length xs) xs
