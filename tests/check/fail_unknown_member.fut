-- So does a misspelt member of a module.
-- ==
-- error: unknown name `f32.sqr`, did you mean `f32.sqrt`\?.*H3001
def main (x: f32) : f32 = f32.sqr x
