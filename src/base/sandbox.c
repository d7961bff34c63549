#include "config.h"
#include "base/sandbox.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

/* A process that starts no program, changes no file and opens no connection: Linux ends it (SIGSYS) before a
 * call of the system that would. What it has open it may still write to. */

#if defined(HAVE_LINUX_SECCOMP_H) && defined(HAVE_LINUX_FILTER_H) && defined(HAVE_LINUX_AUDIT_H)             \
    && (defined(__x86_64__) || defined(__aarch64__))

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#define FOREIGN 0x40000000u /* calls of another interface, from here on */
#else
#define MACHINE AUDIT_ARCH_AARCH64
#define FOREIGN 0xffffffffu
#endif

/* ---- calls --------------------------------------------------------------------------------------------- */

/* Newer calls have older ones that libraries fall back to: clone3 and openat2 have their flags where a filter
 * cannot look. */
static const int absent[] = {
#ifdef SYS_clone3
    SYS_clone3,
#endif
#ifdef SYS_openat2
    SYS_openat2,
#endif
    SYS_clone /* never reached: so that the list is not empty */
};

static const int starting[] = {
    SYS_execve,
    SYS_execveat,
    SYS_kill,
    SYS_ptrace,
    SYS_process_vm_writev,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_bpf,
    SYS_unshare,
    SYS_keyctl,
    SYS_init_module,
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
#ifdef SYS_pidfd_send_signal
    SYS_pidfd_send_signal,
#endif
};

static const int changing[] = {
    SYS_unlinkat, SYS_renameat2, SYS_mkdirat,   SYS_linkat,      SYS_symlinkat,    SYS_mknodat,
    SYS_truncate, SYS_fchmod,    SYS_fchmodat,  SYS_fchown,      SYS_fchownat,     SYS_utimensat,
    SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_creat
    SYS_creat,    SYS_unlink,    SYS_rename,    SYS_mkdir,       SYS_rmdir,        SYS_link,
    SYS_symlink,  SYS_mknod,     SYS_chmod,     SYS_chown,       SYS_lchown,       SYS_utime,
    SYS_utimes,   SYS_futimesat,
#endif
};

static const int connecting[] = {SYS_socket, SYS_connect,
#ifdef SYS_io_uring_setup
                                 SYS_io_uring_setup,
#endif
                                 SYS_accept4};

/* ---- the filter ---------------------------------------------------------------------------------------- */

enum { MOST = 256 };
typedef struct {
  struct sock_filter code[MOST];
  unsigned short n;
} filter;

static void add(filter *f, unsigned short what, unsigned int value, unsigned char yes, unsigned char no) {
  if (f->n < MOST) f->code[f->n++] = (struct sock_filter){what, yes, no, value};
}

static void add_load(filter *f, size_t where) {
  add(f, BPF_LD | BPF_W | BPF_ABS, (unsigned int)where, 0, 0);
}

static void add_return(filter *f, unsigned int value) {
  add(f, BPF_RET | BPF_K, value, 0, 0);
}

static void add_calls(filter *f, size_t n, const int *call, unsigned int value) {
  for (size_t k = 0; k < n; k++) {
    add(f, BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)call[k], 0, 1);
    add_return(f, value);
  }
}

/* A call whose argument has one of these bits, or has none of them (wanted 0), is trapped; without, it is let
 * through. */
static void add_argument_test(filter *f, int call, int argument, unsigned int bits, int wanted) {
  add(f, BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)call, 0, 4);
  /* the lower half, on these machines */
  add_load(f, offsetof(struct seccomp_data, args) + 8 * (size_t)argument);
  add(f, BPF_JMP | BPF_JSET | BPF_K, bits, wanted ? 0 : 1, wanted ? 1 : 0);
  add_return(f, SECCOMP_RET_TRAP);
  add_return(f, SECCOMP_RET_ALLOW);
}

static void make_filter(filter *f) {
  static const unsigned int writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  const unsigned int none = SECCOMP_RET_ERRNO | ENOSYS;
  add_load(f, offsetof(struct seccomp_data, arch));
  add(f, BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0);
  add_return(f, SECCOMP_RET_KILL_PROCESS);
  add_load(f, offsetof(struct seccomp_data, nr));
  add(f, BPF_JMP | BPF_JGE | BPF_K, FOREIGN, 0, 1);
  add_return(f, SECCOMP_RET_KILL_PROCESS);
  add_argument_test(f, SYS_clone, 0, CLONE_THREAD, 0);
  add_calls(f, sizeof absent / sizeof *absent - 1, absent, none);
  add_calls(f, sizeof starting / sizeof *starting, starting, SECCOMP_RET_TRAP);
#ifndef PRC_COVERAGE /* whose counters are files */
  add_calls(f, sizeof changing / sizeof *changing, changing, SECCOMP_RET_TRAP);
  add_argument_test(f, SYS_openat, 2, writing, 1);
#ifdef SYS_open
  add_argument_test(f, SYS_open, 1, writing, 1);
#endif
#endif
  add_calls(f, sizeof connecting / sizeof *connecting, connecting, SECCOMP_RET_TRAP);
  add_return(f, SECCOMP_RET_ALLOW);
}

/* ---- the end of who tries ------------------------------------------------------------------------------ */

static int is_in(int call, size_t n, const int *list) {
  for (size_t k = 0; k < n; k++)
    if (list[k] == call) return 1;
  return 0;
}

static void on_trap(int number, siginfo_t *about, void *context) {
  const int call = about->si_syscall;
  (void)number, (void)context;
  _exit(call == SYS_clone || is_in(call, sizeof starting / sizeof *starting, starting) ? PRC_SANDBOX_PROGRAM
        : is_in(call, sizeof connecting / sizeof *connecting, connecting) ? PRC_SANDBOX_CONNECTION
                                                                          : PRC_SANDBOX_FILE);
}

int prc_sandbox_enter(void) {
  filter f = {.n = 0};
  struct sigaction action = {.sa_flags = SA_SIGINFO};
  make_filter(&f);
  const struct sock_fprog program = {f.n, f.code};
  sigemptyset(&action.sa_mask);
  action.sa_sigaction = on_trap;
  return f.n < MOST && sigaction(SIGSYS, &action, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
         && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

int prc_sandbox_enter(void) {
  return 0;
}

#endif
