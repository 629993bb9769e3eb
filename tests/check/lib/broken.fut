-- Imported by ../fail_module_import_error.fut; rejected by itself, too.
-- ==
-- error: H3002
def x : i32 = true
