-- As in the first parameter, so in the second.
-- ==
-- error: no array of the type `f` shows this size
type^ f = bool -> []bool -> bool
