#pragma once
// Linux calls that Swift's Glibc module leaves out, because it is imported without _GNU_SOURCE.
// Each function returns what the call returns; errno is the caller's to read.
