"""Recognizes the encoding of a text file: UTF-8, UTF-16, windows-1256 (Arabic) or windows-1252 (Western European)."""

import codecs
import re
from typing import BinaryIO

_BLOCK = 1024 * 1024
_SAMPLE = 64 * 1024
_BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_HIGH = re.compile(rb"[\x80-\xff]+")


def recognize_encoding(file: BinaryIO) -> str:
    """Leaves the file at its beginning."""
    file.seek(0)
    sample = file.read(_SAMPLE)
    file.seek(0)
    for mark, name in _BYTE_ORDER_MARKS:
        if sample.startswith(mark):
            return name
    if wide := _utf16_without_mark(sample):
        return wide
    return "utf-8" if _is_utf8(file) else _single_byte_encoding(file)


def _utf16_without_mark(sample: bytes) -> str | None:
    """Every second byte of the separators and line breaks is zero; no other text contains a zero byte."""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if max(even, odd) * 50 < len(sample) or min(even, odd) * 4 > max(even, odd):
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def _is_utf8(file: BinaryIO) -> bool:
    """The whole file is checked: the first Arabic name may stand in the last row."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while block := file.read(_BLOCK):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    finally:
        file.seek(0)
    return True


def _single_byte_encoding(file: BinaryIO) -> str:
    """Arabic words are runs of bytes above 127; in a European word such a byte stands between ASCII letters."""
    single = longer = 0
    while block := file.read(_BLOCK):
        for run in _HIGH.findall(block):
            if len(run) > 1:
                longer += len(run)
            else:
                single += 1
    file.seek(0)
    return "windows-1256" if longer > single else "windows-1252"
