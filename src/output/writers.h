/* Writers of fields, one row each: a new writer is its file and its row here (and the file's name in
 * local.mk). Names in
 * the case reader and in messages come from these rows.
 *
 *   symbol: the file exports `const prc_output_writer prc_output_writer_<symbol>`;   name: output.writer of a case.
 *
 * Rows of VTK are there where percuss is built with it. The first row is what `auto` means. */
#ifndef PRC_OUTPUT_WRITERS_H
#define PRC_OUTPUT_WRITERS_H

#define PRC_OUTPUT_WRITERS(VTK, ROW) VTK(vtk, "vtk") ROW(own, "own")

/* "auto|vtk|own": what the case reader may take */
#define PRC_OUTPUT_NAME(symbol, name) "|" name
#define PRC_OUTPUT_WRITER_NAMES       "auto" PRC_OUTPUT_WRITERS(PRC_OUTPUT_NAME, PRC_OUTPUT_NAME)

#endif
