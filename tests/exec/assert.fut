-- assert gives its value or stops.
-- tolerance: exact
-- ==
-- input { 4i32 }
-- output { 25i32 }
-- ==
-- input { 0i32 }
-- error: assertion.*H7007
entry main (x: i32) : i32 = assert (x != 0) (100 / x)
