-- A file that imports itself through another.
-- ==
-- error: `fail_module_import_cycle.fut` imports itself.*H3020
import "lib/cycle"
