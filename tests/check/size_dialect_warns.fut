-- Existential sizes that only Halo passes on.
-- ==
-- warning: the result's size depends on the argument.*H4001
def spread (xs: []i64) = flatmap' (\i -> replicate i 1i32) xs
