"""The write-ahead log beside a vault: the pages that it adds to the file, and whether it belongs to the file at all.

Written from https://www.sqlite.org/fileformat.html, section 4, and VAULT-FORMAT.md.
"""
import contextlib
import sqlite3
import struct

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
    place = vault_row(data)
    image, rows = bytearray(data), []
    for page_count, pages in found:
        image += bytes(max(0, page_count * page_size - len(image)))
        for number, page in pages.items():
            image[(number - 1) * page_size:number * page_size] = page
        del image[page_count * page_size:]
        if place and place[0] in pages:
            rows.append(vault_row(image))
    if place and rows and None not in (rows[0], rows[-1]):
        _, vault, generation = place
        if (rows[0][1] != vault or rows[-1][1] != vault
                or generation > rows[-1][2] or generation + 1 < rows[0][2]):
            return data
    return bytes(image)


def vault_row(data):
    """Returns the page of the table `vault`, the vault's ID and its generation; None if they cannot be read."""
    try:
        with contextlib.closing(opened(data)) as connection:
            return connection.execute("SELECT rootpage, vault_id, generation FROM sqlite_master, vault "
                                      "WHERE sqlite_master.name = 'vault'").fetchone()
    except sqlite3.Error:
        return None


def opened(data):
    """Opens the bytes of a database in memory, where there is no log and no lock."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    # A database in memory cannot be in WAL mode, which bytes 18 and 19 tell.
    connection.deserialize(bytes(data[:18]) + b"\1\1" + bytes(data[20:]))
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection
