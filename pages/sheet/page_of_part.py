"""The page that explains a part of the sheet, opened at this part."""

import re

_ATTENTION = re.compile(r"(encoder|decoder)\.(\d+)\.(self|cross)_attention\.[a-z_.]+?(?:\[(\d+)\])?")


def door(name: str, role: str) -> tuple[str, dict[str, object]]:
    """The page about the part of that name and role, and what it shows first."""
    side = name.partition(".")[0]
    if role in ("embedding", "embedding_table", "embedding_sum", "segment", "segment_table", "input"):
        return "embedding", {"side": "decoder"} if side in ("decoder", "target_embedding") else {}
    if role.startswith(("position", "relative")):
        return "position", {}
    if role.startswith(("logits", "output")) or role == "decoder_output":
        return "decoding", {}
    if role.startswith(("norm", "added")):
        return "layers", {"show": "norm"}
    if role.startswith("feed_forward") or role in ("hidden", "gate", "linear"):
        return "layers", {"show": "feed_forward"}
    match = _ATTENTION.fullmatch(name)
    if match and not role.endswith("residual"):
        kind = "cross" if match[3] == "cross" else match[1]
        return "attention", {
            "attention_kind": kind,
            "layer": int(match[2]),
            "head": int(match[4] or 0),
            "view": "stages",
        }
    return "layers", {}
