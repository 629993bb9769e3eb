-- A plain module, where a parametric one is needed.
-- ==
-- error: takes no parameter.*H3018
module f (F: {} -> {}) = {module m = F {}}
module m = f {}
