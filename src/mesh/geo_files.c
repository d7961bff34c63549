#include "config.h"
#include "mesh/mesh.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Which files a geometry reads, without running it: every text in quotes that names a file beside the one that it stands in, and so on in those. Where a command that opens a file takes a
 * name that is no text in quotes (StrCat("part", s)), all files of its folder that such a command may open. */

enum { LARGEST = 64 << 20, MOST = 4096 };

typedef struct {
  char **path; /* n, as they are opened */
  size_t n, capacity;
} file_list;

static int is_file(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static prc_status add_file(file_list *list, const char *path, prc_error *err) {
  prc_status status = PRC_OK;
  for (size_t i = 0; i < list->n; i++)
    if (strcmp(list->path[i], path) == 0) return PRC_OK;
  if (!is_file(path) || list->n >= MOST) return PRC_OK;
  prc_try(prc_grow(&list->path, &list->capacity, list->n + 1, sizeof *list->path, err));
  prc_try(prc_strdup(path, &list->path[list->n], err));
  list->n++;
done:
  return status;
}

/* name: n bytes; beside the file `path`, or where it says. */
static prc_status add_beside(file_list *list, const char *path, const char *name, size_t n, prc_error *err) {
  char beside[8192];
  const char *slash = strrchr(path, '/');
  const int folder = name[0] == '/' || !slash ? 0 : (int)(slash - path) + 1;
  if (n == 0 || (size_t)folder + n >= sizeof beside) return PRC_OK;
  snprintf(beside, sizeof beside, "%.*s%.*s", folder, path, (int)n, name);
  return add_file(list, beside, err);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static int is_geometry(const char *name) {
  static const char *const ends[] = {".geo",  ".msh", ".stl", ".step", ".stp", ".brep",
                                     ".iges", ".igs", ".pos", ".xao",  ".unv", ".geo_unrolled"};
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
    if (prc_ends_with(name, ends[k])) return 1;
  return 0;
}

/* In the order of their names. */
static prc_status add_folder(file_list *list, const char *path, prc_error *err) {
  prc_status status = PRC_OK;
  const char *slash = strrchr(path, '/');
  const size_t first = list->n;
  char folder[8192];
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  DIR *open = opendir(folder);
  for (const struct dirent *entry; open && status == PRC_OK && (entry = readdir(open));)
    if (is_geometry(entry->d_name))
      status = add_beside(list, path, entry->d_name, strlen(entry->d_name), err);
  if (open) closedir(open);
  if (list->n > first) qsort(list->path + first, list->n - first, sizeof *list->path, by_text);
  return status;
}

/* Behind a comment or an escaped character; at itself where there is none. */
static const char *skip_comment(const char *at) {
  if (at[0] == '/' && at[1] == '/') return at + strcspn(at, "\n");
  if (at[0] != '/' || at[1] != '*') return at;
  const char *end = strstr(at + 2, "*/");
  return end ? end + 2 : at + strlen(at);
}

/* A command that opens a file, with a name that is no text in quotes. */
static int opens_unknown(const char *word, size_t n) {
  static const char *const commands[] = {"Include",       "Merge", "MergeFile", "MergeWithBoundingBox",
                                         "ShapeFromFile", "Open"};
  const char *next = word + n + strspn(word + n, " \t\r\n(");
  for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
    if (strlen(commands[k]) == n && memcmp(commands[k], word, n) == 0) return *next != '"' && *next != '\'';
  return 0;
}

static prc_status scan(file_list *list, const char *path, const char *at, prc_error *err) {
  prc_status status = PRC_OK;
  while (*at) {
    const char *behind = skip_comment(at);
    size_t n = 0;
    if (behind != at) {
      at = behind;
      continue;
    }
    if (*at == '"' || *at == '\'') {
      const char quote[] = {*at, '\n', '\0'};
      n = strcspn(at + 1, quote);
      prc_try(add_beside(list, path, at + 1, n, err));
      at += n + 1 + (at[n + 1] == quote[0]);
      continue;
    }
    while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
    if (n > 0 && opens_unknown(at, n)) prc_try(add_folder(list, path, err));
    at += n > 0 ? n : 1;
  }
done:
  return status;
}

static prc_status scan_file(file_list *list, const char *path, prc_error *err) {
  char *text = NULL;
  size_t n = 0;
  struct stat about;
  prc_error ignored = {0};
  if (stat(path, &about) != 0 || about.st_size > LARGEST) return PRC_OK;
  prc_status status = prc_file_read_all(NULL, path, &text, &n, &ignored);
  if (status != PRC_OK) return status == PRC_NOMEM ? prc_fail(err, status, "%s", ignored.message) : PRC_OK;
  status = strlen(text) == n ? scan(list, path, text, err) : PRC_OK; /* else it is no text */
  prc_delete(&text);
  return status;
}

prc_status prc_mesh_files(const char *path, void (*say)(void *to, const char *path), void *to,
                          prc_error *err) {
  prc_status status = PRC_OK;
  file_list list = {0};
  prc_try(add_file(&list, path, err));
  for (size_t i = 0; i < list.n; i++) {
    say(to, list.path[i]);
    if (prc_ends_with(path, ".geo")) prc_try(scan_file(&list, list.path[i], err));
  }
done:
  for (size_t i = 0; i < list.n; i++) prc_delete(&list.path[i]);
  prc_delete(&list.path);
  return status;
}
