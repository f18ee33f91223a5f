#pragma once
#include <inotifytools/inotifytools.h>
#include <inotifytools/inotify.h>
#include <string.h>
#include <sys/eventfd.h>

// inotify(7): the name is a flexible array member, which Swift does not import.
static inline const char *inotify_event_name(const struct inotify_event *event) { return event->name; }
// The kernel pads a name with zeros up to `len`.
static inline size_t inotify_event_name_length(const struct inotify_event *event) {
    return event->len ? strnlen(event->name, event->len) : 0;
}
// eventfd(2): its flags are enumerators of a header that Swift's Glibc module leaves out.
static inline int inotify_wake_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
