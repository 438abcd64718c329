"""What the project refuses, each with one sentence that says what is wrong and what to do.

A refusal carries its code and values, so that a page can say it in the reader's language.
"""

SENTENCES = {
    "config_number": "{field} is {value}: give a whole number of at least {minimum}.",
    "config_long": "max_length is {value}: give at most {limit}.",
    "config_odd": "d_model is {d_model}: sines and cosines come in pairs, so give an even number.",
    "config_heads": "d_model {d_model} cannot be shared by heads {heads}: choose d_model as a multiple of heads.",
    "config_choice": "{field} is {value!r}: choose one of {choices}.",
    "config_tied": "tied_embeddings needs one vocabulary, but source_vocabulary is {source} and "
    "target_vocabulary {target}: make them equal or set tied_embeddings to none.",
    "config_conflict": "{first} and {second} cannot stand together: choose {fix}.",
    "config_base": "position_base is {value}: give a number above 1; the paper has 10,000.",
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
    "preset_unknown": "There is no preset {name!r}: choose one of {choices}.",
    "preset_numbers": "Preset {name!r} reads numbers, not sentences: choose another preset.",
    "recipe_changed": "{folder} holds an unfinished run of another recipe: remove it, or choose another folder.",
    "recipe_unknown": "There is no recipe {name!r}: choose one of {choices}.",
    "line": "Line {number}: {problem}",
    "pairs_file": "{file} cannot be read as pairs: {problem}.",
    # beam search, masks, forecast
    "beam_architecture": "An encoder alone writes nothing: choose a model with a decoder.",
    "beam_prompt": "The prompt is empty: a decoder needs at least one token to start from, such as <bos>.",
    "beam_alpha": "alpha is {value}: give a number from 0 (no length penalty) to 10; the paper has 0.6.",
    "beam_length": "{tokens} tokens are to be read, but the model has {limit} positions: lower the limit.",
    "mask_row": "In sentence {sentence}, query {query} may attend to no key, so its softmax has no value: "
    "give it at least one key.",
    "mask_kind": "A mask is boolean, true where a query may attend, but this one holds {found}: compare it first.",
    "price_file": "Line {number}: the table cannot be read as CSV: save it again as comma-separated text.",
    "price_text": "The table is not UTF-8 text: save it again as UTF-8.",
    "price_columns": "The table has no column {missing}: its first line must name date and close, or adjusted close.",
    "price_date": "Line {number}: {value!r} is not a date: write it as YYYY-MM-DD.",
    "price_order": "Line {number}: {value} does not come after the day before it: sort the rows, one for each day.",
    "price_value": "Line {number}: {value!r} is not a price: give a number above 0.",
    "price_days": "The table has {count} days, at least {needed} are needed: choose a longer one or a shorter window.",
    "price_constant": "The price never changes in the part to learn from, so there is nothing to scale by: "
    "choose another table.",
    "forecast_model": "{field} is {value}, but a forecaster reads numbers, sees no future and gives one value: "
    "choose {fix}.",
    "forecast_window": "A window of {window} days does not fit the model's {limit} positions: shorten it.",
    "forecast_setting": "{field} is {value}: give {fix}.",
    # edits
    "edit_name": "No value is called {name}: the nearest are {nearest}.",
    "edit_part": "{name} has no {part}: leave them out of the edit or choose another value.",
    "edit_head": "There is no head {head}: choose one from 0 to {last}.",
    "edit_place": "{name} has no place {place}: choose one from 0 to {last}.",
    "edit_token": "There is no token {token}: choose one from 0 to {last}.",
    "edit_shape": "{name} has shape {needed}, but {given} is given for it: take it from a value like this one.",
    "edit_matrix": "Attention weights of shape {shape} are given: give a matrix (queries, keys), or one for each head, "
    "of finite numbers from 0 up.",
    "edit_mask": "With this mask a row of {name} could attend to nothing: leave each row at least one key.",
    "edit_run": "The edits counted {counted} decoder tokens but the pass has {found}: compose them anew for each run.",
    "edit_unused": "The edit of {name} has changed nothing: choose a value and a place that the run reaches.",
}


class Refused(ValueError):
    """Bad input, a bad configuration or a damaged checkpoint; `str()` is the English sentence."""

    def __init__(self, code: str, **values: object):
        self.code = code
        self.values = values
        super().__init__(SENTENCES[code].format(**values))
