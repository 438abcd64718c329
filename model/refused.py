"""What the project refuses, each with one sentence that says what is wrong and what to do.

A refusal carries its code and values, so that a page can say it in the reader's language.
"""

SENTENCES = {
    "config_positive": "{field} is {value}: give a whole number of at least 1.",
    "config_long": "max_length is {value}: give at most {limit}.",
    "config_odd": "d_model is {d_model}: sines and cosines come in pairs, so give an even number.",
    "config_heads": "d_model {d_model} cannot be shared by heads {heads}: choose d_model as a multiple of heads.",
    "config_choice": "{field} is {value!r}: choose one of {choices}.",
    "config_tied": "tied_embeddings needs one vocabulary, but source_vocabulary is {source} and "
    "target_vocabulary {target}: make them equal or set tied_embeddings to false.",
    "config_dropout": "dropout is {value}: give a number from 0 up to, but not including, 1.",
    "config_fields": "The configuration does not fit: {problem}.",
    "sentence_empty": "The sentence is empty: type one, or choose an example.",
    "sentence_characters": "The sentence has {count} characters, the limit is {limit}: shorten it.",
    "sentence_tokens": "The sentence has {count} tokens, the limit is {limit}: shorten it.",
    "sentence_control": "The sentence contains a control character (U+{point}): remove it.",
    "checkpoint_unknown": "There is no checkpoint {name!r}: choose one of {choices}.",
    "checkpoint_file": "Checkpoint {name!r} lacks the file {file}: put it back or remove the folder.",
    "checkpoint_json": "Checkpoint {name!r}: {file} is not valid JSON ({problem}).",
    "checkpoint_config": "Checkpoint {name!r}: {problem}",
    "checkpoint_card": "Checkpoint {name!r}: card.json lacks a proper {key!r}.",
    "checkpoint_tokenizer": "Checkpoint {name!r}: tokenizer.json and words.txt cannot be read as a tokenizer.",
    "checkpoint_vocabulary": "Checkpoint {name!r}: the tokenizer has {found} tokens, the configuration {needed}.",
    "checkpoint_format": "Checkpoint {name!r}: model.safetensors is not a safetensors file.",
    "checkpoint_missing": "Checkpoint {name!r}: the weights lack {tensor}.",
    "checkpoint_extra": "Checkpoint {name!r}: the weights hold {tensor}, which the configuration does not have.",
    "checkpoint_shape": "Checkpoint {name!r}: {tensor} has shape {found}, the configuration needs {needed}.",
    "checkpoint_dtype": "Checkpoint {name!r}: {tensor} is stored as {found}; only F16 and F32 are read.",
    "checkpoint_values": "Checkpoint {name!r}: {tensor} holds values that are not finite.",
    "recipe_changed": "{folder} holds an unfinished run of another recipe: remove it, or choose another folder.",
    "recipe_unknown": "There is no recipe {name!r}: choose one of {choices}.",
    "line": "Line {number}: {problem}",
    "pairs_file": "{file} cannot be read as pairs: {problem}.",
}


class Refused(ValueError):
    """Bad input, a bad configuration or a damaged checkpoint; `str()` is the English sentence."""

    def __init__(self, code: str, **values: object):
        self.code = code
        self.values = values
        super().__init__(SENTENCES[code].format(**values))
