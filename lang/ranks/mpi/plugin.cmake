# The plug-in for the MPI that is installed, beside the binary: built where one is, needed nowhere.
find_package(MPI COMPONENTS C)
if(MPI_C_FOUND)
  set(halo_mpi openmpi)
  if("${MPI_C_LIBRARIES} ${MPI_C_INCLUDE_DIRS}" MATCHES "mpich")
    set(halo_mpi mpich)
  endif()
  add_library(halo_ranks_${halo_mpi} MODULE lang/ranks/mpi/plugin.cpp)
  target_include_directories(halo_ranks_${halo_mpi} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(halo_ranks_${halo_mpi} PRIVATE MPI::MPI_C dep_expected)
  set_target_properties(halo_ranks_${halo_mpi} PROPERTIES PREFIX ""
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  # A part of its own: the package `halo` must not depend on an MPI.
  install(TARGETS halo_ranks_${halo_mpi} LIBRARY DESTINATION lib/halo COMPONENT halo-ranks)
endif()
