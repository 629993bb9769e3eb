-- A module type that does not exist.
-- ==
-- error: unknown module type `monoids`, did you mean `monoid`\?.*H3019
module type monoid = {type t}
module m : monoids = {type t = i32}
