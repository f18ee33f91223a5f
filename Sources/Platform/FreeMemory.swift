import CLinux

/// Gives memory that was freed back to the kernel, in every thread's share of it (malloc_trim(3)).
///
/// For the end of work that needed much: without it what a start or a burst had in use stays resident for good.
package func giveBackFreedMemory() { linux_give_back_memory() }

/// Lets all threads share two of malloc's arenas, and keeps what is large out of them (mallopt(3), M_ARENA_MAX and
/// M_MMAP_THRESHOLD).
///
/// Call it before any thread starts. Each would get an arena of its own, and keep in it what only one burst needed; and with
/// the first large block that is freed malloc begins to take such blocks from its arenas, where small ones that stay keep
/// all around them resident.
package func keepMemorySmall() {
    linux_limit_memory_arenas(2)
    // The buffers of a megabyte that files are read into stay in the arenas.
    linux_map_large_blocks(1280 << 10, 4 << 20)
}
