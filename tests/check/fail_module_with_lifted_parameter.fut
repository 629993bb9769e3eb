-- A refinement takes as many types as the abstract type that it replaces.
-- ==
-- error: fewer types for its parameter `a`
module type has_t = {type t '^a}
module type refined = has_t with t 'a = a
