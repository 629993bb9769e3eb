-- Values of the type are functions, which show no size.
-- ==
-- error: no array of the type `f` shows this size
type^ f = []bool -> bool
