-- A local definition of a file is not seen by those who import it.
-- ==
-- error: unknown name `secret`.*H3001
import "lib/names"
def main = secret
