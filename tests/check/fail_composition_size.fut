-- The size of what goes from one composed function to the other is known beforehand.
-- ==
-- error: only the result of this function knows its size, so no other function is composed with it.*H4003
def kept = filter (> 0i32) >-> length
