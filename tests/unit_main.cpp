// doctest's main, compiled once and linked into every unit test program: it costs seconds.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
