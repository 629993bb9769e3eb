# The Python package: built where pybind11 and numpy are installed, else left out.
set(Python_FIND_STRATEGY LOCATION)  # the system's, whose numpy and pybind11 these are
if(EXISTS /usr/bin/python3 AND NOT Python_EXECUTABLE)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python COMPONENTS Interpreter Development.Module NumPy QUIET)
set(PYBIND11_FINDPYTHON ON)
if(Python_FOUND)
  find_package(pybind11 2.10 CONFIG QUIET)
endif()
if(NOT pybind11_FOUND)
  message(STATUS "no Python package: pybind11-dev, python3-dev or python3-numpy is missing")
  return()
endif()
option(HALO_PYTHON_PACKAGE "build the Python package" ON)
if(NOT HALO_PYTHON_PACKAGE)
  return()
endif()

# The headers as the package sees them: <halo/halo.h>.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated/include)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/api ${CMAKE_BINARY_DIR}/generated/include/halo SYMBOLIC)
set(halo_python_folder ${CMAKE_BINARY_DIR}/python/halo)
file(GLOB halo_python_sources CONFIGURE_DEPENDS python/native/*.cpp)
add_library(halo_python MODULE ${halo_python_sources})
target_include_directories(halo_python PRIVATE ${CMAKE_BINARY_DIR}/generated/include
  ${Python_NumPy_INCLUDE_DIRS})
target_link_libraries(halo_python PRIVATE pybind11::module halo_shared)
pybind11_extension(halo_python)
set_target_properties(halo_python PROPERTIES OUTPUT_NAME _native PREFIX "" UNITY_BUILD ${HALO_UNITY}
  LIBRARY_OUTPUT_DIRECTORY ${halo_python_folder})
file(GLOB sources CONFIGURE_DEPENDS python/halo/*.py python/halo/*.pyi python/halo/py.typed)
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME)
  configure_file(${source} ${halo_python_folder}/${name} COPYONLY)
endforeach()

# Debian's place below /usr, where it is searched; elsewhere PYTHONPATH names it.
set(halo_python_install lib/python3/dist-packages/halo)
install(TARGETS halo_python LIBRARY DESTINATION ${halo_python_install} COMPONENT python3-halo)
install(FILES ${sources} DESTINATION ${halo_python_install} COMPONENT python3-halo)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-halo RENAME copyright
  COMPONENT python3-halo)
# Installed, the module finds the library of its own prefix, or beside itself in a wheel.
file(RELATIVE_PATH halo_to_library /${halo_python_install} /${CMAKE_INSTALL_LIBDIR})
set_target_properties(halo_python PROPERTIES INSTALL_RPATH "$ORIGIN/${halo_to_library}:$ORIGIN")
