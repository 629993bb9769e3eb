-- An error in an imported file.
-- ==
-- error: H3002(.|\n)*lib/broken.fut
module m = import "lib/broken"
