-- Futhark's own files may be imported: their names are in scope already.
-- ==
-- input { 3i32 } output { 4i32 }
import "/prelude/math"
import "/prelude/soacs"
def main (x: i32) = i32.max x 4
