-- A result's size that is the argument is none that only the result knows.
-- ==
-- error: the result's size depends on the argument.*H4001.*write the result's type.*H4001.*H4001
def spread (xs: []i64) = flatmap' (\i -> replicate i 1i32) xs
def numbers (xs: []i64) = flatmap' iota xs
def squares (xs: []i64) = let (_, _, _, ys, _) = flatmap (\i -> (map (* i) (iota i), i)) xs in ys
