-- Module types are for a later version.
-- ==
-- error: module types .*\[H2006]
module type monoid = { type t val neutral: t val op: t -> t -> t }
