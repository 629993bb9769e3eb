-- A file that does not exist.
-- ==
-- error: there is no readable file .*lib/nowhere.fut.*H8001
import "lib/nowhere"
