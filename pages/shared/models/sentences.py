"""The sentences that a model's card holds."""

from model.checkpoint import catalogue


def of_card(entry: catalogue.Entry) -> list[str]:
    """What the model reads: examples, what it covers, and held-out ones."""
    card = catalogue.Entry(entry.folder).card  # an untrained system reads with this one's tokenizer
    held_out = [output["source"] for outputs in card.get("outputs", {}).values() for output in outputs]
    covered = [text for topic in card.get("covers", ()) for text in topic["examples"]]
    return [*card["examples"], *covered, *held_out]
