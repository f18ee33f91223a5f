import CLinux

/// Makes the calling thread one that computes at length: it runs long turns, and whoever wakes for a short one goes first.
///
/// Its share of the processor stays what it was, unlike with niceness. Without it an answer waits at each step until the
/// turn of a hashing thread is over. Linux 6.12 lets a shorter turn go before a longer one (sched_setattr(2),
/// sched_runtime); older kernels take no notice, and a filter of system calls may refuse it: nothing depends on it.
package func takeLongTurns() {
    _ = linux_set_turn(20_000_000)
}

/// Makes the calling thread, and those that it starts, ones that somebody waits for: they run short turns, and so go before
/// what computes at length, the kernel's own writers among it.
package func takeShortTurns() {
    _ = linux_set_turn(200_000)
}
