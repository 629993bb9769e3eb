-- A misspelt field.
-- ==
-- error: no field `lenght` in a value of type `\{length: f32, width: f32}`, did you mean `length`\?.*H3007
def main (r: {length: f32, width: f32}) : f32 = r.lenght
