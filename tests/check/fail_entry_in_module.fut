-- Entries are declared outside of all modules.
-- ==
-- error: `f` is inside of a module
module m = {
  entry f (x: i32) : i32 = x + 1
}

def main = m.f
