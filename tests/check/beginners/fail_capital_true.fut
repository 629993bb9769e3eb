-- Words of other languages for the two truth values.
-- ==
-- error: unknown name .True.*help: the values of .bool. are .true. and .false.
def main (x: i32) = if x > 0 then True else false
