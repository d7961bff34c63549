/* Keeps a process from starting programs, changing files and opening connections, for good. */
#ifndef PRC_BASE_SANDBOX_H
#define PRC_BASE_SANDBOX_H

/* Exit status of a process that tried. */
enum { PRC_SANDBOX_PROGRAM = 101, PRC_SANDBOX_FILE = 102, PRC_SANDBOX_CONNECTION = 103 };

/* 0: this system cannot (Linux on x86-64 and arm64 can). Files may still be read, and what is open may be
 * written to. */
int prc_sandbox_enter(void);

#endif
