/* A wall clock that is wrong by the seconds in the file PORTAL_WRONG_CLOCK (8 bytes), for every process that loads this
 * library first. The monotonic clock, by which programs wait, stays true, as on a machine whose time is set.
 * Debian's libfaketime cannot do that for Python 3.11 (wolfcw/libfaketime#426). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *wrong;

__attribute__((constructor)) static void open_file(void) {
    const char *name = getenv("PORTAL_WRONG_CLOCK");
    int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof *wrong, PROT_READ, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) wrong = memory;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int status = (int)syscall(SYS_clock_gettime, clock, now);
    if (!status && wrong && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *wrong;
    return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now) {
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME_COARSE, &precise);
    if (now) *now = precise.tv_sec;
    return precise.tv_sec;
}
