-- A module that does not exist.
-- ==
-- error: unknown module `geometri`, did you mean `geometry`\?.*H3019
module geometry = {def x = 1i32}
module g = geometri
