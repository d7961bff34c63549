/* Text of VTK's XML files that goes to a file as it is made, or to memory to be used again. */
#ifndef PRC_OUTPUT_XML_INTERNAL_H
#define PRC_OUTPUT_XML_INTERNAL_H

#include "output/internal.h"
#include "output/output.h"

typedef struct {
  prc_output_part *file; /* one of the two takes what is ready */
  prc_bytes *memory;
  char *text; /* room, handed on when it is full */
  size_t used;
  unsigned char left[3]; /* bytes that wait for others: base64 takes three at a time */
  size_t n_left;
  prc_output_form form;
  prc_status status; /* the first failure; what is put afterwards goes nowhere */
  prc_error *err;
} prc_output_xml;

enum { PRC_OUTPUT_XML_ROOM = 1 << 18 };

/* The rest of *xml is zero. text: PRC_OUTPUT_XML_ROOM */
void prc_output_xml_put(prc_output_xml *xml, const char *text);
void prc_output_xml_put_count(prc_output_xml *xml, const char *before, long long n, const char *after);
/* The frame made before */
void prc_output_xml_put_bytes(prc_output_xml *xml, const prc_bytes *bytes);
prc_status prc_output_xml_flush(prc_output_xml *xml);

/* A <DataArray>: base64 of the size in bytes (32 bits) and of the values, or of the sizes of blocks compressed by zlib and of these, inline, with the range of the
 * values, or of the lengths of vectors, in its attributes. */
typedef struct {
  const char *name, *type; /* VTK's: Float64, Int32, UInt8 */
  size_t item;             /* bytes of one */
  int components;
  size_t tuples;
  const void *value;
  int widened; /* a third component, 0, is written behind two */
  int single;  /* doubles are written as 32 bits */
} prc_output_values;
/* three: vectors of two components are widened; single: real numbers are written as 32 bits */
prc_output_values prc_output_values_of(const prc_array *array, size_t tuples, int three, int single);
/* The range of the values, or of vectors' squared lengths. A value that is not finite is PRC_DIVERGED, with
 * the name of the array and the place; four gigabytes or more, which VTK's headers of 32 bits do not count,
 * are PRC_IO. */
prc_status prc_output_values_check(const prc_output_values *values, double range[2],
                                   prc_error *err) PRC_MUST_CHECK;
/* Checks them first. */
void prc_output_xml_put_values(prc_output_xml *xml, const prc_output_values *values);

#endif
