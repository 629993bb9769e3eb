-- Imported by ../fail_module_import_abstract.fut.
module m : {type t val x : t} = {type t = i32 def x = 1i32}
