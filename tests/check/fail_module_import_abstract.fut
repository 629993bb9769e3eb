-- An abstract type stays abstract in the files that import it.
-- ==
-- error: `m.t` stands for any type here.*H3014
import "lib/sealed"
def main = m.x + 1
