#include "config.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* DIR/lock says which process writes into DIR. The system takes the lock itself (flock) from a process that
 * has died, so that a number of a process that is used again misleads nobody; the text says whose it is, and
 * whether it belongs to another machine, whose processes cannot be seen from here. Its second line names the
 * folder of the checkpoints, if that is another: who dies leaves word where to go on from. */

enum { TEXT = CLI_LOCK_TEXT };

static void describe_self(const char *checkpoints, char *text, size_t size) {
  struct utsname name;
  char when[64] = "";
  const time_t now = time(NULL);
  struct tm utc;
  if (gmtime_r(&now, &utc)) strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &utc);
  snprintf(text, size, CLI_LOCK_MARK "%ld on %s since %s\n%s%s", (long)getpid(),
           uname(&name) == 0 ? name.nodename : "this machine", when, checkpoints, *checkpoints ? "\n" : "");
}

/* The text as it was left; its first line without its end, and the second; "" for a new file. */
static void read_text(int descriptor, char left[TEXT], char text[TEXT], char checkpoints[CLI_LOCK_PATH]) {
  const ssize_t got = pread(descriptor, left, TEXT - 1, 0);
  left[got > 0 ? got : 0] = '\0';
  memcpy(text, left, TEXT);
  const char *second = strchr(text, '\n');
  snprintf(checkpoints, CLI_LOCK_PATH, "%.*s", second ? (int)strcspn(second + 1, "\n") : 0,
           second ? second + 1 : "");
  text[strcspn(text, "\n")] = '\0';
  for (char *at = text; *at; at++)
    if ((unsigned char)*at < 0x20 || (unsigned char)*at > 0x7e) *at = '?';
}

/* Does the text name another machine than this one? */
static int is_other_machine(const char *text) {
  struct utsname name;
  const char *on = strstr(text, " on "), *since = on ? strstr(on, " since ") : NULL;
  if (!since || uname(&name) != 0) return 0;
  const size_t length = (size_t)(since - on) - 4;
  return strlen(name.nodename) != length || strncmp(on + 4, name.nodename, length) != 0;
}

static prc_status refuse(const char *folder, const char *text, prc_error *err) {
  return prc_fail(
      err, PRC_IO,
      "%s: is in use by %s; expected another folder (-o DIR), or the end of that run. If it runs no "
      "more, remove %s/lock",
      folder, *text ? text : "another run", folder);
}

/* A lock that was removed between its opening and its locking is nobody's. */
static int is_still_there(int descriptor, const prc_folder *in) {
  struct stat mine, there;
  return fstat(descriptor, &mine) == 0
         && fstatat(prc_folder_descriptor(in), CLI_LOCK_NAME, &there, AT_SYMLINK_NOFOLLOW) == 0
         && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

static prc_status write_text(int descriptor, const char *folder, const char *text, prc_error *err) {
  const size_t length = strlen(text);
  if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, text, length, 0) != (ssize_t)length)
    return prc_fail(err, PRC_IO, "%s/lock: cannot be written: %s", folder, strerror(errno));
  return PRC_OK;
}

prc_status cli_lock_acquire(cli_lock *lock, const prc_folder *in, const char *checkpoints, prc_error *err) {
  char text[TEXT];
  const char *folder = prc_folder_path(in), *other = prc_file_obstacle(in, CLI_LOCK_NAME);
  lock->in = in;
  if (other) return prc_fail(err, PRC_IO, "%s/lock: cannot be written: it is %s, not a file", folder, other);
  const int descriptor =
      openat(prc_folder_descriptor(in), CLI_LOCK_NAME, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) return prc_fail(err, PRC_IO, "%s/lock: cannot be written: %s", folder, strerror(errno));
  prc_status status = PRC_OK;
  const int locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0, none_here = !locked && errno != EWOULDBLOCK;
  read_text(descriptor, lock->left, text, lock->left_checkpoints);
  lock->was_stale = text[0] != '\0';
  if (*text && strncmp(text, CLI_LOCK_MARK, strlen(CLI_LOCK_MARK)) != 0)
    status = prc_fail(
        err, PRC_IO,
        "%s/lock: is not the lock of a run, and is needed for one; expected another folder (-o DIR)", folder);
  else if ((!locked && !none_here) || !is_still_there(descriptor, in) || (*text && is_other_machine(text))
           || (none_here && *text)) /* a file system without locks: the text is all there is */
    status = refuse(folder, text, err);
  else {
    describe_self(checkpoints, text, sizeof text);
    status = write_text(descriptor, folder, text, err);
  }
  if (status == PRC_OK)
    lock->descriptor = descriptor, lock->is_held = 1;
  else
    close(descriptor);
  return status;
}

void cli_lock_release(cli_lock *lock) {
  if (!lock->is_held) return;
  if (is_still_there(lock->descriptor, lock->in)) unlinkat(prc_folder_descriptor(lock->in), CLI_LOCK_NAME, 0);
  close(lock->descriptor);
  lock->is_held = 0;
}

void cli_lock_restore(cli_lock *lock) {
  prc_error err = {0};
  if (lock->is_held && lock->was_stale
      && write_text(lock->descriptor, prc_folder_path(lock->in), lock->left, &err) == PRC_OK) {
    close(lock->descriptor);
    lock->is_held = 0;
  }
  cli_lock_release(lock);
}
