-- A type that is declared as lifted is no type of elements, whatever it is.
-- ==
-- error: `arr` may hold a function, but array elements are data of one shape.*H3021
type^ arr = [2]i32
type bad = [3]arr
