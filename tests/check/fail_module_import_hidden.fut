-- The imports of a file are not seen by its importers.
-- ==
-- error: unknown name `inner`.*H3001
import "lib/names"
def main = inner
