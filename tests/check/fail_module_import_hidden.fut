-- What a file imports is not seen by those who import it.
-- ==
-- error: unknown name `inner`.*H3001
import "lib/names"
def main = inner
