"""No script is called as a module of Python's library is: a program beside it that imports that
module, as Jupyter imports `profile`, would run the script in its place.
"""

import sys

from common import finish, name, sources

finish([f"{name(path)}: Python's library has a module `{path.stem}`" for path in sources(".py")
        if path.stem in sys.stdlib_module_names])
