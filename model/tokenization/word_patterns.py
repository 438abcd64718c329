"""Where known tokenizers of bytes cut a text into words, as regular expressions of the library."""

_CONTRACTED, _SPACES = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+", r"\s*[\r\n]+|\s+(?!\S)|\s+"
GPT2 = (  # spelled in two ways
    r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
)
LLAMA_3, QWEN = (
    rf"{_CONTRACTED}|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_SPACES}" for digits in (r"\p{N}{1,3}", r"\p{N}")
)
