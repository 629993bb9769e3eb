-- A negative exponent of an integer power.
-- ==
-- input { 2i32 -1i32 }
-- error: negative exponent.*H7004
-- ==
-- input { 2i32 10i32 }
-- output { 1024i32 }
entry main (a: i32) (b: i32) : i32 = a ** b
