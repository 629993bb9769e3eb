-- Only a caller could tell how many rows there are, and an entry has none that knows sizes.
-- ==
-- error: is not the size of any array it takes.*H4002
entry main (xs: []i32) = unflatten xs
