"""A library of very many small originals, put together behind the back of an albumd that does not run."""
import hashlib
import os
import sqlite3
import uuid

INSERTS = {
    "content": "(?, ?, 'image/jpeg', 'jpg', ?, 'sound')",
    "asset": "(?, ?, 'image', ?, 'added', ?, ?, 'live', NULL, NULL, NULL, NULL)",
    "resource": "(?, ?, 1, 0, ?)",
    "version": "(?, 0, ?, ?)",
    "cloudCopy": "(?, ?, '00000001', ?, ?)",
}


def fill(library, count):
    """Adds so many assets, every other one with a copy in the cloud, as the catalogue has it; returns their bytes."""
    connection = sqlite3.connect(library / "catalogue.sqlite")
    for begin in range(1, count + 1, 10_000):
        rows = {table: [] for table in INSERTS}
        for number in range(begin, min(begin + 10_000, count + 1)):
            add(rows, number, original(library, number))
        for table, values in INSERTS.items():
            connection.executemany(f"INSERT INTO {table} VALUES {values}", rows[table])
    connection.commit()
    connection.close()
    return 8 * count


def original(library, number):
    """Eight bytes, under their hash."""
    data = number.to_bytes(8, "big")
    digest = hashlib.sha256(data)
    shard = library / "originals" / digest.hexdigest()[:2]
    shard.mkdir(mode=0o700, exist_ok=True)
    file = os.open(shard / f"{digest.hexdigest()}.jpg", os.O_WRONLY | os.O_CREAT, 0o400)
    os.write(file, data)
    os.close(file)
    return digest.digest()


def add(rows, number, digest):
    date = (1_700_000_000 + number) * 1_000_000
    is_both = number % 2 == 0
    rows["content"].append((digest, 8, "both" if is_both else "local"))
    rows["asset"].append((number, uuid.UUID(int=number).bytes, date, date, date))
    rows["resource"].append((number, number, b"%d.jpg" % number))
    rows["version"].append((number, digest, date))
    if is_both:
        name = digest.hex()
        rows["cloudCopy"].append((digest, f"{name[:2]}/{name}", date, date))
