-- A definition means itself by its own name, also where an older one would fit.
-- ==
-- error: `r` means the definition itself in its body; give it another name to call the older `r`
def r (h: i64) (w: i64) = replicate h w
module m = {def r (p: {h: i64, w: i64}) = r p.h p.w}
