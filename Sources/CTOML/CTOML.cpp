#include "CTOML.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

#include <toml.hpp>

struct CTOMLNode {
    CTOMLKind kind = CTOMLKindTable;
    std::string key, source, text;
    int64_t integer = 0;
    double number = 0;
    bool boolean = false;
    uint32_t line = 1, column = 1, keyColumn = 1;
    std::vector<CTOMLNode> children;
};

struct CTOMLDocument {
    CTOMLNode root;
};

namespace {

// toml11 descends into nested values by recursion: deeper nesting than anybody writes would end its stack.
constexpr int deepestNesting = 32;

uint32_t characters(const std::string &text, size_t byteCount) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byteCount, text.size()));
    return static_cast<uint32_t>(
        std::count_if(text.begin(), end, [](unsigned char byte) { return (byte & 0xC0) != 0x80; }));
}

// What Debian's two versions of toml11 call differently: 3 (Debian 12) and 4 (Debian 13).
struct Place {
    size_t line, column, length;
    std::string text;
};

#if TOML11_VERSION_MAJOR >= 4
Place place(const toml::source_location &at) {
    const auto lines = at.lines();
    return {at.first_line_number(), at.first_column_number(), at.length(), lines.empty() ? "" : lines.front()};
}
const std::string &plain(const std::string &text) { return text; }
#else
Place place(const toml::source_location &at) { return {at.line(), at.column(), at.region(), at.line_str()}; }
const std::string &plain(const toml::string &text) { return text.str; }
#endif

CTOMLKind kind(const toml::value &value) {
    switch (value.type()) {
    case toml::value_t::boolean: return CTOMLKindBoolean;
    case toml::value_t::integer: return CTOMLKindInteger;
    case toml::value_t::floating: return CTOMLKindFloat;
    case toml::value_t::string: return CTOMLKindString;
    case toml::value_t::array: return CTOMLKindArray;
    case toml::value_t::table: return CTOMLKindTable;
    default: return CTOMLKindDateTime;
    }
}

void locate(CTOMLNode &node, const Place &place) {
    const size_t start = std::min(std::max<size_t>(place.column, 1) - 1, place.text.size());
    node.line = static_cast<uint32_t>(std::max<size_t>(place.line, 1));
    node.column = characters(place.text, start) + 1;
    node.source = place.text.substr(start, place.length);
    const size_t key = node.key.empty() ? std::string::npos : place.text.rfind(node.key, start);
    node.keyColumn = key == std::string::npos ? node.column : characters(place.text, key) + 1;
}

CTOMLNode copy(const std::string &key, const toml::value &value) {
    CTOMLNode node;
    node.key = key;
    node.kind = kind(value);
    locate(node, place(value.location()));
    if (value.is_string()) node.text = plain(value.as_string());
    if (value.is_integer()) node.integer = value.as_integer();
    if (value.is_floating()) node.number = value.as_floating();
    if (value.is_boolean()) node.boolean = value.as_boolean();
    if (value.is_array())
        for (const auto &element : value.as_array()) node.children.push_back(copy("", element));
    if (value.is_table())
        for (const auto &member : value.as_table()) node.children.push_back(copy(member.first, member.second));
    std::sort(node.children.begin(), node.children.end(), [](const CTOMLNode &a, const CTOMLNode &b) {
        return a.line != b.line ? a.line < b.line : a.column < b.column;
    });
    return node;
}

void say(CTOMLError &error, const std::string &message) {
    std::snprintf(error.message, sizeof error.message, "%s", message.c_str());
}

// Line and column of the first bracket that goes too deep; strings and comments are passed over.
bool nestsTooDeep(const std::string &text, CTOMLError &error) {
    int depth = 0;
    char quote = 0;
    uint32_t line = 1, column = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        ++column;
        if (c == '\n') { ++line; column = 0; quote = 0; continue; }
        if (quote) {
            if (c == '\\' && quote == '"') { ++i; ++column; }
            else if (c == quote) quote = 0;
            continue;
        }
        if (c == '#') { i = std::min(text.find('\n', i), text.size()) - 1; continue; }
        if (c == '"' || c == '\'') quote = c;
        if (c == ']' || c == '}') depth = std::max(0, depth - 1);
        if ((c == '[' || c == '{') && ++depth > deepestNesting) {
            error.line = line;
            error.column = column;
            say(error, "more than 32 brackets stand inside each other");
            return true;
        }
    }
    return false;
}

// The place that toml11's exception carries is often only the start of the line. The picture in its text is right:
//     "[error] toml::parse_x: headline", then for each place " 12 | line" and "    |   ^--- remark".
// Where it shows two places, the later one is where the fault came to light.
void describe(const std::string &picture, CTOMLError &error) {
    std::istringstream lines(picture);
    std::string headline, line, remark, shown;
    uint32_t number = 1;
    std::getline(lines, headline);
    if (headline.rfind("[error] ", 0) == 0) headline.erase(0, 8);
    const size_t name = headline.find(": ");
    if (name != std::string::npos && headline.rfind("toml::", 0) == 0) headline.erase(0, name + 2);
    while (std::getline(lines, line)) {
        const size_t bar = line.find(" | ");
        if (bar == std::string::npos) continue;
        const size_t digit = line.find_first_not_of(' ');
        if (digit < bar) {
            number = static_cast<uint32_t>(std::strtoul(line.c_str() + digit, nullptr, 10));
            shown = line.substr(bar + 3);
            continue;
        }
        const size_t mark = line.find_first_of("^~", bar + 3);
        if (mark == std::string::npos || number < error.line) continue;
        error.line = number;
        error.column = characters(shown, mark - bar - 3) + 1;
        const size_t said = line.find_first_not_of("^~- ", mark);
        remark = said == std::string::npos ? "" : line.substr(said);
    }
    const bool both = !headline.empty() && !remark.empty() && remark != "here";
    say(error, both ? headline + " (" + remark + ")" : headline.empty() ? remark : headline);
}

CTOMLText view(const std::string &text) { return {text.data(), text.size()}; }

}  // namespace

CTOMLDocument *ctoml_parse(const char *bytes, size_t count, const char *file, CTOMLError *error) {
    *error = {1, 1, ""};
    try {
        const std::string text(bytes, count);
        if (nestsTooDeep(text, *error)) return nullptr;
        std::istringstream stream(text);
        return new CTOMLDocument{copy("", toml::parse(stream, file))};
    } catch (const toml::exception &fault) {
        describe(fault.what(), *error);
    } catch (const std::exception &fault) {
        say(*error, fault.what());
    } catch (...) {
        say(*error, "the TOML library failed without a reason");
    }
    return nullptr;
}

void ctoml_free(CTOMLDocument *document) { delete document; }
const CTOMLNode *ctoml_root(const CTOMLDocument *document) { return &document->root; }
CTOMLKind ctoml_kind(const CTOMLNode *node) { return node->kind; }
CTOMLText ctoml_key(const CTOMLNode *node) { return view(node->key); }
uint32_t ctoml_line(const CTOMLNode *node) { return node->line; }
uint32_t ctoml_column(const CTOMLNode *node) { return node->column; }
uint32_t ctoml_key_column(const CTOMLNode *node) { return node->keyColumn; }
CTOMLText ctoml_source(const CTOMLNode *node) { return view(node->source); }
CTOMLText ctoml_string(const CTOMLNode *node) { return view(node->text); }
int64_t ctoml_integer(const CTOMLNode *node) { return node->integer; }
double ctoml_float(const CTOMLNode *node) { return node->number; }
bool ctoml_boolean(const CTOMLNode *node) { return node->boolean; }
size_t ctoml_child_count(const CTOMLNode *node) { return node->children.size(); }
const CTOMLNode *ctoml_child(const CTOMLNode *node, size_t index) { return &node->children[index]; }
