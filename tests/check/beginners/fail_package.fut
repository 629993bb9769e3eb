-- A package that nobody has fetched.
-- ==
-- error: there is no readable file .*help: `halo pkg sync` fetches the packages of `futhark.pkg`
import "lib/github.com/diku-dk/none/none"
def main (x: i32) = x
