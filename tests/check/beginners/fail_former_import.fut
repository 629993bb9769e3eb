-- A file of the library that once had to be imported.
-- ==
-- error: there is no readable file.*help: names of Futhark's library are in scope everywhere
import "/futlib/math"
def main (x: i32) = x
