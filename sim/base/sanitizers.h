/* Which sanitizer the program is compiled with, as 0 or 1: gcc says so by macros, clang by features. */
#ifndef FRS_BASE_SANITIZERS_H
#define FRS_BASE_SANITIZERS_H

#ifdef __has_feature
#define FRS_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#define FRS_THREAD_SANITIZER __has_feature(thread_sanitizer)
#else
#ifdef __SANITIZE_ADDRESS__
#define FRS_ADDRESS_SANITIZER 1
#else
#define FRS_ADDRESS_SANITIZER 0
#endif
#ifdef __SANITIZE_THREAD__
#define FRS_THREAD_SANITIZER 1
#else
#define FRS_THREAD_SANITIZER 0
#endif
#endif

/* Either of them, which follow system calls and stacks, and set handlers of signals. */
#define FRS_SANITIZED (FRS_ADDRESS_SANITIZER || FRS_THREAD_SANITIZER)

#endif
