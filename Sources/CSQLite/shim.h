#pragma once
#include <sqlite3.h>

// sqlite3_db_config is variadic, which Swift cannot call: https://sqlite.org/c3ref/db_config.html
static inline int albumd_sqlite_db_config(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}
