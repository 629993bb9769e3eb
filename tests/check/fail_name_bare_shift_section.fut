-- The same of a section.
-- ==
-- error: `>>>` is in the modules of the integer types only.*H3001
def main = map (>>> 1i32)
