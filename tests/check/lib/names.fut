-- Imported by ../fail_module_import_local.fut and others.
import "inner_names"
local def secret = 1i32
def shown = secret + inner
