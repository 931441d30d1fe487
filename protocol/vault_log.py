"""The write-ahead log beside a vault: the pages that it adds to the file, and whether it belongs to the file at all.

Written from https://www.sqlite.org/fileformat.html, section 4, and VAULT-FORMAT.md.
"""
import contextlib
import sqlite3
import struct
import typing

HEADER, FRAME_HEADER = 32, 24


def transactions(log, page_size):
    """Yields the complete transactions of a log: the number of pages of the file after it, and its pages by number."""
    if len(log) < HEADER:
        return
    magic, _, size = struct.unpack(">III", log[:12])
    if magic & ~1 != 0x377F0682 or size != page_size:
        return
    order = ">" if magic & 1 else "<"
    sums = checksum((0, 0), log[:24], order)
    if sums != struct.unpack(">II", log[24:HEADER]):
        return
    pages, step = {}, FRAME_HEADER + page_size
    for at in range(HEADER, len(log) - step + 1, step):
        header, page = log[at:at + FRAME_HEADER], log[at + FRAME_HEADER:at + step]
        sums = checksum(checksum(sums, header[:8], order), page, order)
        if header[8:16] != log[16:24] or sums != struct.unpack(">II", header[16:]):
            return
        number, page_count = struct.unpack(">II", header[:8])
        pages[number] = page
        if page_count:
            yield page_count, pages
            pages = {}


def checksum(sums, data, order):
    """Continues the checksum of a log over more bytes."""
    first, second = sums
    for one, two in struct.iter_unpack(order + "II", data):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + two + first) & 0xFFFFFFFF
    return first, second


def with_log(data, log):
    """Returns the bytes of a file with those of its log, or without them if the log belongs to another file."""
    page_size = int.from_bytes(data[16:18], "big") % 65535 or 65536
    found = list(transactions(log, page_size))
    if found and found[-1][0] < declared_pages(data):
        return data
    file = row = version(data)
    image, versions = bytearray(data), []
    for page_count, pages in found:
        image += bytes(max(0, page_count * page_size - len(image)))
        for number, page in pages.items():
            image[(number - 1) * page_size:number * page_size] = page
        del image[page_count * page_size:]
        before, row = row, version(image)
        # The end of a long row is on other pages than that of the table.
        if file and row and (file.page in pages or row != before):
            versions.append(row)
    return data if versions and not continues(file, versions) else bytes(image)


def declared_pages(data):
    """Returns the number of pages that the header of a file declares, or 0 if its last writer did not set that."""
    return int.from_bytes(data[28:32], "big") if data[24:28] == data[92:96] else 0


class Version(typing.NamedTuple):
    """The page of the table `vault`, and what decides in its row; `told_id` is the column."""

    page: int
    vault_id: bytes
    generation: int
    head: bytes
    told_id: bytes | None
    previous_id: bytes | None

    @property
    def transaction_id(self):
        """The transaction ID of the row."""
        return self.told_id or self.head


def continues(file, versions):
    """Whether the versions of the row in a log are those that follow the file's."""
    first, last = versions[0], versions[-1]
    if any(one.vault_id != file.vault_id for one in versions):
        return False
    if any((one.transaction_id, one.generation) == (file.transaction_id, file.generation) for one in versions):
        return True
    if first.previous_id and first.previous_id == file.transaction_id:
        return True
    return (not file.told_id and not first.told_id
            and first.generation == file.generation + 1 and last.generation >= file.generation)


def version(data):
    """Returns the row of `vault` in the bytes of a file, or None if it cannot be read."""
    try:
        with contextlib.closing(opened(data)) as connection:
            columns = [name for name, in connection.execute("SELECT name FROM pragma_table_info('vault')")]
            ids = [f"CASE WHEN typeof({name}) = 'blob' AND length({name}) = 16 THEN {name} END" if name in columns else "NULL"
                   for name in ("transaction_id", "previous_transaction_id")]
            row = connection.execute(f"SELECT rootpage, vault_id, generation, substr(head, 1, 16), {', '.join(ids)} "
                                     "FROM sqlite_master, vault WHERE sqlite_master.name = 'vault'").fetchone()
            return row and Version(*row)
    except sqlite3.Error:
        return None


def opened(data):
    """Opens the bytes of a database in memory, where there is no log and no lock."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    # A database in memory cannot be in WAL mode, which bytes 18 and 19 tell.
    connection.deserialize(bytes(data[:18]) + b"\1\1" + bytes(data[20:]))
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection
