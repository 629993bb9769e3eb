-- Imported by ../fail_module_import_cycle.fut; a program of its own, it is rejected as well.
-- ==
-- error: H3020
import "../fail_module_import_cycle"
def x = 1i32
