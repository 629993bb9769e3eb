-- A type that is declared as lifted is no type of elements, whatever it is.
-- ==
-- error: array elements are plain values.*H
type^ arr = [2]i32
type bad = [3]arr
