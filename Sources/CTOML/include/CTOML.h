#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A TOML text as a tree of nodes. Plain C over the header-only library toml11; no exception passes this door.
// Lines and columns start at 1; a column counts characters, not bytes.

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CTOMLDocument CTOMLDocument;
typedef struct CTOMLNode CTOMLNode;

typedef enum CTOMLKind {
    CTOMLKindTable,
    CTOMLKindArray,
    CTOMLKindString,
    CTOMLKindInteger,
    CTOMLKindFloat,
    CTOMLKindBoolean,
    CTOMLKindDateTime,
} CTOMLKind;

/// Where and why a text is no TOML.
typedef struct CTOMLError {
    uint32_t line;
    uint32_t column;
    char message[512];
} CTOMLError;

/// A piece of text inside the document; not ended by a zero byte, gone with the document.
typedef struct CTOMLText {
    const char *_Nonnull bytes;
    size_t count;
} CTOMLText;

/// Reads a whole text. NULL on a fault, which `error` then describes.
CTOMLDocument *_Nullable ctoml_parse(
    const char *_Nonnull bytes, size_t count, const char *_Nonnull file, CTOMLError *_Nonnull error);
void ctoml_free(CTOMLDocument *_Nonnull document);

/// The table of the top-level keys. Nodes live as long as their document.
const CTOMLNode *_Nonnull ctoml_root(const CTOMLDocument *_Nonnull document);

CTOMLKind ctoml_kind(const CTOMLNode *_Nonnull node);
/// The key in the parent table; empty in an array.
CTOMLText ctoml_key(const CTOMLNode *_Nonnull node);
/// Where the value stands.
uint32_t ctoml_line(const CTOMLNode *_Nonnull node);
uint32_t ctoml_column(const CTOMLNode *_Nonnull node);
/// Where the key stands, on the same line; the value's column where the key is not found there.
uint32_t ctoml_key_column(const CTOMLNode *_Nonnull node);
/// The value as it is written in the text, its first line only.
CTOMLText ctoml_source(const CTOMLNode *_Nonnull node);

/// The value, where the kind fits; else empty, 0 or false.
CTOMLText ctoml_string(const CTOMLNode *_Nonnull node);
int64_t ctoml_integer(const CTOMLNode *_Nonnull node);
double ctoml_float(const CTOMLNode *_Nonnull node);
bool ctoml_boolean(const CTOMLNode *_Nonnull node);

/// Members of a table or an array, in the order of the text.
size_t ctoml_child_count(const CTOMLNode *_Nonnull node);
const CTOMLNode *_Nonnull ctoml_child(const CTOMLNode *_Nonnull node, size_t index);

#ifdef __cplusplus
}
#endif
