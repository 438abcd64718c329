"""The cosine of two vectors: whether they point the same way, however long they are. 0 where one of them is zero."""

import numpy as np


def cosine(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Of vectors in the same place, (…, d) twice (or what broadcasts to it) to (…), in [-1, 1]."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    product = (a * b).sum(axis=-1)
    size = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    return np.clip(np.divide(product, size, out=np.zeros_like(product), where=size > 0), -1, 1)


def cosines(rows: np.ndarray) -> np.ndarray:
    """Of every two rows of (T, d): (T, T), in [-1, 1]."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    unit = np.divide(rows, lengths, out=np.zeros_like(rows, dtype=float), where=lengths > 0)
    return np.clip(unit @ unit.T, -1, 1)
