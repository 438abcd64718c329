"""One .npy file of a stranger: its header is read before its values, and nothing in it is ever executed."""

from io import BytesIO
from math import prod
from tokenize import TokenError

import numpy as np

HEADER = 1000  # bytes before the values
# what numpy's parser of headers raises, other than ValueError
_UNREADABLE = (TypeError, SyntaxError, TokenError, EOFError, LookupError, OverflowError, RecursionError, MemoryError)


def read_array(data: bytes) -> np.ndarray:
    """The array of a file whose length is what its header says, in the order of its memory.

    Raises `ValueError` for anything else, also for an array of Python objects, which would be a pickle.
    """
    buffer = BytesIO(data)
    try:
        if np.lib.format.read_magic(buffer) != (1, 0):
            raise ValueError("a header of more than 64 KB, or one in UTF-8, belongs to structured arrays")
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(buffer, max_header_size=HEADER)
    except _UNREADABLE as error:
        raise ValueError(f"the header cannot be read: {error}") from None
    if dtype.hasobject or dtype.names:
        raise ValueError("an array of Python objects is a pickle, and records are no numbers")
    values = len(data) - buffer.tell()
    # an axis without end costs nothing as long as another one is empty, but everything to go along it
    if (
        any(type(length) is not int or not 0 <= length <= len(data) for length in shape)
        or values != prod(shape) * dtype.itemsize
    ):
        raise ValueError("the values are not as many as the header says")
    return np.frombuffer(data, dtype, prod(shape), buffer.tell()).reshape(shape, order="F" if fortran else "C")
