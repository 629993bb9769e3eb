-- A misspelt name gets a suggestion.
-- ==
-- error: unknown name `lenght`, did you mean `length`\?.*H3001
def main (xs: []i32) : i64 = lenght xs
