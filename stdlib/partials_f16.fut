-- How the functions on f16 are differentiated that work on its bits; the others compute in f32, whose
-- rules apply (partials_f32.fut).

-- | The partials of `copysign`; the sign is a step.
def d_copysign_f16 (x: f16) (_: f16) (r: f16) : (f16, f16) = (f16.sgn x * f16.sgn r, 0f16)

-- | The partials of `nextafter`; the direction is a step.
def d_nextafter_f16 (_: f16) (_: f16) (_: f16) : (f16, f16) = (1f16, 0f16)
