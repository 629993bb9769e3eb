-- One kernel down to its shader: the narrow one counts in 32 bits, the wide one takes any size.

entry main [n] (xs: *[n]i32) (is: [n]i64) : *[n]i32 = scatter xs is (map i32.i64 is)
