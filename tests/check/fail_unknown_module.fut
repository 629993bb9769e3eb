-- A module that does not exist.
-- ==
-- error: unknown name `f33.sqrt`: there is no module `f33`, did you mean `f32`\?.*H3001
def main (x: f32) : f32 = f33.sqrt x
