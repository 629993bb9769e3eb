/* Loads, calls and frees a program many times: `loads COUNT`. Status 1 if memory grew by more than
 * 16 MB after the first tenth. */
#include <halo/halo.h>
#include <stdio.h>
#include <stdlib.h>

static long resident(void) {
  long pages = 0, total = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (fscanf(file, "%ld %ld", &total, &pages) != 2) pages = 0;
  fclose(file);
  return pages * 4; /* kB */
}

static int once(halo_context *context) {
  const char text[] = "entry f [n] (xs: [n]i64): [n]i64 = map (+ 1) xs\n";
  halo_program *program = NULL;
  halo_value *in = NULL, *out = NULL;
  const void *data = NULL;
  int64_t xs[3] = {1, 2, 3}, shape[1] = {3};
  int ok = halo_load_text(context, "f.fut", text, sizeof text - 1, &program, NULL) == HALO_OK &&
           halo_array_copy(context, HALO_I64, 1, shape, NULL, xs, &in, NULL) == HALO_OK &&
           halo_call(program, 0, &in, 1, &out, 1, NULL) == HALO_OK &&
           halo_data(out, &data, NULL) == HALO_OK && ((const int64_t *)data)[2] == 4;
  halo_release(in);
  halo_release(out);
  halo_program_free(program);
  return ok;
}

int main(int argc, char **argv) {
  const long count = argc > 1 ? atol(argv[1]) : 1000;
  halo_options options = {0};
  halo_context *context = NULL;
  long before = 0, i;
  options.size = sizeof options;
  options.backend = "interp";
  if (halo_context_new(&options, &context, NULL) != HALO_OK) return 2;
  for (i = 0; i < count; i++) {
    if (!once(context)) return 2;
    if (i == count / 10) before = resident();
  }
  printf("%ld loads: %ld kB after a tenth, %ld kB at the end\n", count, before, resident());
  halo_context_free(context);
  return resident() - before < 16 * 1024 ? 0 : 1;
}
