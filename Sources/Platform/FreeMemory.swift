import CLinux

/// Gives memory that was freed back to the kernel, in every thread's share of it (malloc_trim(3)).
///
/// For the end of work that needed much: without it what a start or a burst had in use stays resident for good.
package func giveBackFreedMemory() { linux_give_back_memory() }

/// Lets all threads share two of malloc's arenas (mallopt(3), M_ARENA_MAX).
///
/// Call it before any thread starts. Each would get one of its own, and keep in it what only one burst needed.
package func shareMemoryArenas() { linux_limit_memory_arenas(2) }
