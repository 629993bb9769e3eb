-- A constructor needs a type that has it.
-- ==
-- error: no constructor `#blu` in type .*did you mean `#blue`.*H3017
type colour = #red | #blue
def main (b: bool) : colour = if b then #red else #blu
