-- The type of a result.
-- ==
-- error: found .->.*help: the type of the result follows .:.: .def f \(x: i32\): i32 = x.
def main (x: i32) -> i32 = x
