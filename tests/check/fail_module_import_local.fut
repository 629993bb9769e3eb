-- A local definition of a file is not seen by its importers.
-- ==
-- error: unknown name `secret`.*H3001
import "lib/names"
def main = secret
