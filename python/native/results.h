// Results of calls as objects of Python.
#pragma once

#include "native.h"

namespace halo_python {

// The same in memory of Halo's own.
Owned copied(Owned value);
// Scalars of numpy, Arrays, tuples, named tuples; sums as `(name, payload...)`.
py::object toPython(Owned value);

}  // namespace halo_python
