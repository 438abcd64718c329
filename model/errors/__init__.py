"""Errors that a user can fix: `InvalidInput` with a code, each with a sentence that says what is wrong and what to do.

The error carries code and values, so that a page can show the sentence in the user's language.
"""

SENTENCES = {
    "config_number": "{field} is {value}: give a whole number of at least {minimum}.",
    "config_large": "{field} is {value}: give at most {limit}.",
    "config_odd": "d_model is {d_model}: sines and cosines come in pairs, so give an even number.",
    "config_heads": "d_model {d_model} cannot be shared by heads {heads}: choose d_model as a multiple of heads.",
    "config_buckets": "position_farthest {farthest} has to be above half of position_buckets {buckets}: choose a "
    "larger one.",
    "config_shared": "{heads} heads cannot share {shared} keys and values equally: "
    "choose key_value_heads as a divisor of heads.",
    "config_pairs": "A head has {size} numbers: rotary positions turn pairs of them, so give an even head_size.",
    "config_eps": "norm_eps is {value}: give a number between 0 and 1; torch has 0.00001.",
    "config_choice": "{field} is {value!r}: choose one of {choices}.",
    "config_tied": "tied_embeddings needs one vocabulary, but source_vocabulary is {source} and "
    "target_vocabulary {target}: make them equal or set tied_embeddings to none.",
    "config_conflict": "{first} and {second} cannot stand together: choose {fix}.",
    "config_labels": "labels is {value}: give at most {limit} names, and only to an encoder.",
    "config_list": "{field} is {value}: give {count} numbers from 0 to {most}, or none.",
    "config_base": "position_base is {value}: give a number above 1; the paper has 10,000.",
    "config_dropout": "dropout is {value}: give a number from 0 up to, but not including, 1.",
    "config_unknown": "The configuration has a field {field!r}, which Glassformer does not know: remove it.",
    "sentence_empty": "The sentence is empty: type one, or choose an example.",
    "sentence_characters": "The sentence has {count} characters, the limit is {limit}: shorten it.",
    "sentence_tokens": "The sentence has {count} tokens, the limit is {limit}: shorten it.",
    "sentence_control": "The sentence contains U+{point}, which is no text: remove it.",
    "sentence_tokenizer": "The tokenizer of this model cannot read the sentence: write another one, or choose "
    "another model.",
    "sentence_pair": "One of the two texts is empty: write one before {separator} and one behind it.",
    "sentence_texts": "The model reads two texts at most: write {separator} once.",
    "checkpoint_unknown": "There is no checkpoint {name!r}: choose one of {choices}.",
    "checkpoint_file": "Checkpoint {name!r} has no file {file}. Glassformer reads its own format only: "
    "add the file, or remove the checkpoint.",
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
    "device_unknown": "GLASSFORMER_DEVICE is {name!r}: give cpu, cuda, or one of several, such as cuda:1.",
    "device_missing": "GLASSFORMER_DEVICE is {name!r}, but torch finds no such device here: "
    "install torch for CUDA and a driver, or leave the setting out to use the CPU.",
    "preset_unknown": "There is no preset {name!r}: choose one of {choices}.",
    "checkpoint_numbers": "Checkpoint {name!r} reads numbers, not sentences: choose another, "
    "or see it on the page of the forecast.",
    "edges_norm": "Edges are patched in models whose stream is a plain sum of what its parts write: norm pre or none, "
    "parts of a layer one after the other, and a vocabulary to write. This one has norm {norm}.",
    "edges_none": "No token could be exchanged so that the model writes something else: give other or more sentences.",
    "attribution_number": "Model {name!r} gives a number or an answer, and these measures need the probability of a "
    "label or a token: choose a model that gives one.",
    "attribution_vectors": "Model {name!r} gives vectors and writes no tokens: choose one that does.",
    "record_untrained": "Random weights have no folder beside which something could be recorded: leave out --save.",
    "why_step": "There is no written token {step}: choose one from 0 to {last}.",
    "why_rather": "There is no token with the id {id}: choose one from 0 to {last}.",
    "why_head": "There is no head {head!r}: choose one of {choices}.",
    "why_parts": "The output layer of {name!r} does not read the residual stream itself, so its logits are no sum of "
    "parts: choose --show words.",
    "why_origin": "{name!r} reads and writes one text, so there is no source to compare with: choose --show words.",
    "alignment_gold": "Gold alignments come from the German and the Chinese grammar: model {name!r} has no "
    "cross-attention or does not translate from one of them into English.",
    "live_tokenizer": "The tokenizer of checkpoint {name!r} would cut texts otherwise in a browser: "
    "choose another model for a live page.",
    "live_large": "Checkpoint {name!r} has {count} parameters, a live page takes up to {limit}: choose a smaller one.",
    "preset_numbers": "Preset {name!r} reads numbers, not sentences: choose another preset.",
    "recipe_changed": "{folder} holds an unfinished run of another recipe: remove it, or choose another folder.",
    "recipe_unknown": "There is no recipe {name!r}: choose one of {choices}.",
    "line": "Line {number}: {problem}",
    "pairs_file": "{file} cannot be read as pairs: {problem}.",
    "lenses_pairs": "{count} pairs are too few to fit lenses and to measure them: give at least {least}.",
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
    "price_order": "Line {number}: {value} is earlier than the day on the line before: sort the rows, oldest first.",
    "price_twice": "Line {number}: {value} is there twice: keep one row for each day.",
    "price_gap": "Line {number}: {count} days are missing before {value}, more than the {limit} that holidays explain: "
    "fill the gap, or leave out what comes before it.",
    "price_jump": "Line {number}: the price is {factor} times that of the day before, as after a share split: "
    "give adjusted prices.",
    "price_rows": "Line {number}: the table has more than {limit} days: leave out the oldest.",
    "price_size": "The file is larger than {limit} MB: leave out columns or the oldest days.",
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
    "edit_unused": "The edit of {name} has changed nothing: choose a value and a place that the run reaches.",
    # the primer
    "lookup_sum": "The weights sum to 0, so nothing can be divided by it: give at least one of them more.",
    # training from presets
    "train_preset": "{name!r} is a preset: add --untrained to train it from random weights.",
    "train_options": "A recipe has its own seed and steps: leave --seed and --steps out, "
    "or train a preset with --untrained.",
    "trace_only": "No value is called {pattern!r}. Names look like {names}; * stands for any text.",
    "train_out": "A preset has no place among the samples: give --out FOLDER for what is trained.",
    "train_numbers": "Preset {name!r} reads prices, not sentences, and becomes no checkpoint: "
    "leave --steps and --out out, and its errors are printed.",
    "train_output": "Preset {name!r} returns vectors and has no output layer to train by: choose {fix}, which has one.",
    # decoding step by step
    "sampling": "{field} is {value}: give a number from {low} to {high}, and of top_p one above 0.",
    "fork_step": "There is no step {step}: choose one from 0 to {last}.",
    "fork_token": "There is no token {token} that could be written here: choose one of the vocabulary.",
    # changes on the intervene page
    "change_places": "{verb} needs the places {needed}: write them between dots.",
    "change_place": "{place} cannot be {value!r}: choose one of {choices}.",
    "change_word": "{word!r} is read as {count} tokens ({pieces}): give a word that is one token.",
    "change_weights": "{given} weights are given for {needed} keys: give a whole number from 0 up for each, not all 0.",
    "change_pair": "The sentences have {first} and {second} tokens and differ in {count} places: "
    "give a sentence of as many tokens that differs in exactly one.",
    # training from the browser
    "own_bytes": "The table has {count} bytes, the limit is {limit}: shorten it.",
    "own_encoding": "The table is not UTF-8 text (byte {byte}): save it again as UTF-8.",
    "own_few": "The table has {count} rows, at least {needed} are needed: add some.",
    "own_many": "The table has {count} rows, the limit is {limit}: shorten it.",
    "own_columns": "Row {row} should have two columns, a source, a tab and a target; it has {count}.",
    "own_empty": "Row {row}, column {column} is empty: fill it or remove the row.",
    "own_long": "Row {row}, column {column} has {count} characters, the limit is {limit}: shorten it.",
    "own_control": "Row {row} holds a control character (U+{point}): remove it.",
    "own_duplicate": "Row {row} has the same source as row {first}: keep one of them.",
    "text_short": "The text has {count} characters, at least {needed} are needed: paste a longer one.",
    "text_long": "The text has {count} characters, the limit is {limit}: shorten it.",
    "run_task": "There is no task {task!r}: choose one of {choices}.",
    "run_range": "{field} is {value}: give a number from {least} to {most}.",
    "run_parameters": "The model would have {count} parameters, the limit is {limit}: make it smaller.",
    "run_seconds": "The run would take about {minutes} minutes, the limit is {limit}: make it smaller or shorter.",
    "run_preset": "Preset {name!r} cannot write what this task asks for: choose one of {choices}.",
    "run_diverged": "The loss is no longer a number at step {step}: lower the learning rate.",
    "run_time": "The run was stopped at step {step}: it reached the limit of {minutes} minutes.",
    "run_version": "This run was begun by another version of Glassformer and cannot go on: start it anew.",
    "job_unknown": "There is no such run: it may have been removed.",
    "job_full": "You have one run going and one waiting: stop one of them first.",
    "job_queue": "{count} runs are waiting, the limit is {limit}: try again in a few minutes.",
    "job_died": "The worker of this run ended unexpectedly ({reason}): what was saved up to step {step} is kept.",
    "job_disk": "The server's disk is full, so the run ended: what was saved up to step {step} is kept.",
    "job_full_disk": "The server's disk is full, so no run can start: try again in a few minutes.",
    "job_failed": "The run ended with an error ({problem}): what was saved up to step {step} is kept.",
    "job_unwatched": "Nobody had looked at this run for {minutes} minutes: it was stopped, and is kept.",
    "exchange_history": "history.npz does not fit this model, or is damaged: take it out of the zip.",
    "job_restarted": "The server was started anew while this run went on: what was saved up to step {step} is kept.",
    "job_state": "The run is {state}: it cannot be changed that way.",
    "job_empty": "The run has saved nothing yet: wait until it has started.",
    # a checkpoint as a zip
    "exchange_bytes": "The file has {count} bytes, the limit is {limit}: choose a smaller model.",
    "exchange_zip": "The file is not a whole zip archive: download or pack it again.",
    "exchange_directory": "The zip lists far too many files: pack the files of one checkpoint alone.",
    "exchange_files": "The zip holds {count} files, the limit is {limit}: pack the files of one checkpoint alone.",
    "exchange_folders": "The files of the zip lie in several folders: pack one checkpoint alone.",
    "exchange_path": "The zip holds the path {file}: pack plain file names, all in one folder.",
    "exchange_link": "{file} is a link or a device in the zip: pack the file itself.",
    "exchange_twice": "The zip holds {file} twice: keep one of them.",
    "exchange_encrypted": "The zip is encrypted: pack it again without a password.",
    "exchange_method": "{file} is compressed in an unusual way: pack it as an ordinary zip (deflate).",
    "exchange_ratio": "{file} would grow more than {limit}-fold when unpacked: such a file is not opened.",
    "exchange_unpacked": "The files of the zip have {count} bytes together, the limit is {limit}: "
    "choose a smaller model.",
    "exchange_transformers": "This is a Hugging Face model ({family}) as it lies there: convert it on your own machine "
    "with .venv/bin/python -m model import FOLDER, and upload a zip of what that writes.",
    "exchange_missing": "The zip lacks {file}: a checkpoint has at least {files}; download one to see the format.",
    "exchange_empty": "The zip holds no files: pack the files of a checkpoint.",
    "exchange_pickle": "{file} could run a program when it is opened, so it is not: save the weights as safetensors.",
    "exchange_file": "No part of a checkpoint is {file}. Leave that out of the zip; what is read is {files}.",
    "exchange_large": "{file} has {count} bytes, the limit is {limit}: make it smaller.",
    "exchange_numbers": "The model reads numbers, not sentences: upload one that reads sentences.",
    "exchange_layers": "The model would have {count} layers, the limit is {limit}: choose a smaller one.",
    "exchange_parameters": "The model would have {count} parameters, the limit is {limit}: choose a smaller one.",
    "exchange_trace": "A sentence of {length} tokens would take {count} MB in this model, the limit is {limit}: "
    "lower max_length, or choose a smaller model.",
    "exchange_tokenizer": "The tokenizer cuts text in a way that is unknown here: use one that was made here.",
    "exchange_steps": "The tokenizer has a step or a pattern that could hang this server: put the folder that "
    "python -m model import has written on a server of your own.",
    "exchange_overflow": "The model computes values that are not finite for its own first example: train it again.",
    # a recording of attention as .npz
    "recording_zip": "The file is not a whole .npz: write it with numpy.savez, or download it again.",
    "recording_bytes": "The file has {count} bytes, the limit is {limit}: record fewer tokens, or store the weights as "
    "float16.",
    "recording_large": "The file holds {count} weights, the limit is {limit}: record fewer tokens or fewer layers.",
    "recording_names": "The names in the file hold a slash, or one stands there twice: the names are {names}.",
    "recording_files": "The file holds more than {limit} arrays: write the attention and the tokens alone.",
    "recording_name": "The file holds {name!r}, which is no part of a recording: the names are {names}.",
    "recording_array": "{name} is not a plain array of numbers or strings: write it with numpy.savez from arrays, "
    "not from Python objects.",
    "recording_empty": "The file holds no attention: give at least one of {names}.",
    "recording_twice": "The file holds both {name} and {other}: keep one of them.",
    "recording_axes": "{name} has shape {found}, but needs the axes {axes}.",
    "recording_layer": "{name} is missing, and there are weights of later layers: add it.",
    "recording_layers": "{name} has {count} layers: give 1 to {limit}.",
    "recording_heads": "{name} has {count} heads: give 1 to {limit}, as many in each layer; the first has {first}.",
    "recording_queries": "{name} has {found} queries, but {tokens} holds {needed} tokens: they have to agree.",
    "recording_keys": "{name} has {found} keys, but {tokens} holds {needed} tokens: they have to agree.",
    "recording_numbers": "{name} is stored as {found}: give floating-point numbers.",
    "recording_finite": "{name} holds values that are not finite: record the weights after the softmax.",
    "recording_missing": "{tokens} is missing: add the tokens that {name} is about.",
    "recording_range": "{name} has the value {value} in head {head}, row {row}, column {column}: "
    "weights are from 0 to 1, so record them after the softmax.",
    "recording_sum": "{name}: row {row} of head {head} sums to {sum} instead of 1: "
    "record the weights after the softmax and without dropout (model.eval()).",
    "recording_strings": "{name} is not a list of strings: write the tokens as text, not as ids.",
    "recording_many": "{name} holds {count} tokens, the limit is {limit}: record a shorter sentence.",
    "recording_long": "{name} holds the token {token}…, which is longer than {limit} characters: shorten it.",
    "recording_tokens": "{name} holds {found} tokens and target_tokens {needed}: give as many, or leave it out.",
    "own_models_many": "You have {count} models of your own, as many as there may be: remove one first.",
    "own_models_large": "Your own models would take {count} MB together, the limit is {limit}: remove one first.",
    "own_models_full": "The models of all readers take all the space there is: try again later.",
    # importing a model of Hugging Face's transformers
    "import_folder": "{folder} is no folder: give the folder of a Hugging Face model, or a name such as "
    "Helsinki-NLP/opus-mt-de-en.",
    "import_config": "{folder} has no config.json: give the folder of a Hugging Face model.",
    "import_json": "{file} cannot be read ({problem}): it is damaged, so download it again.",
    "import_family": "A model of the kind {family!r} cannot be imported: choose one of {choices}.",
    "import_adapter": "{folder} holds an adapter (LoRA) of {base}, no whole model. Merge the two with "
    "{command} and import that folder.",
    "import_gguf": "{file} is a model of llama.cpp (GGUF), rounded for its programs. Make a folder of it with "
    "{command} and import that folder.",
    "import_foreign": "{file} holds weights of {library}. With transformers 4 and {library}, save them as safetensors: "
    "{command} and import that folder.",
    "import_quantised": "The weights are rounded to {kind} numbers. Write them in full with {command} "
    "and import that folder.",
    "import_code": "{file} asks for code of its own (auto_map), which is not run: choose a model without.",
    "import_field": "config.json has {field} {value!r}, and only {choices} can be imported: choose another model.",
    "import_pairs": "config.json rotates {size} of the {head_size} numbers of each head, but rotary positions turn "
    "pairs: choose another model.",
    "import_choices": "{kind} compares several texts before it answers, and the app reads one at a time. Save the "
    "model without its head: AutoModel.from_pretrained(FOLDER).save_pretrained(NEW).",
    "import_weights": "{folder} has no weights ({file} or pytorch_model.bin): add the file, or save the model again "
    "with save_pretrained.",
    "import_format": "{file} is not a safetensors file, or it is damaged: download it again, or save the model "
    "again with save_pretrained.",
    "import_pickle": "{file} holds more than tensors, and could run a program when it is opened, so it is not: "
    "save the weights as safetensors.",
    "import_missing": "config.json describes a model with {tensor}, which the weights do not hold: use the "
    "config.json that belongs to them, or save the whole model with save_pretrained.",
    "import_extra": "The weights hold {tensor}, which a model as config.json describes it does not read, so what it "
    "is for is not known: use the config.json that belongs to them, or choose a model without it.",
    "import_shape": "{tensor} has shape {found}, and config.json needs {needed}: use the config.json that belongs "
    "to the weights.",
    "import_values": "{tensor} holds values that are not finite: choose another revision of the model.",
    "import_positions": "{tensor} is not the table of sines and cosines that this family has: choose another model.",
    "import_tokenizer": "{folder} has no tokenizer that can be read (tokenizer.json, vocab.txt, vocab.json and "
    "merges.txt, a sentencepiece model, or source.spm, target.spm and vocab.json): add its files.",
    "import_tokenizer_class": "The tokenizer is a {kind}, which the files of a model do not describe: "
    "choose a model with another one.",
    "import_around": "{file} has no piece {piece!r}, which stands beside every sentence: "
    "take the tokenizer that belongs to the model.",
    "import_added": "{file} gives the piece {piece!r} the id {id}, and the vocabulary gives {other!r} the id {found}: "
    "take the files of one tokenizer.",
    "import_template": "{file} cuts a text otherwise when special tokens are added: choose another model.",
    "import_sentencepiece": "{file} cannot be read as a sentencepiece model: {problem}. Choose another model.",
    "import_vocabulary": "The tokenizer has {found} pieces, but the model has rows for {needed}: "
    "take the tokenizer that belongs to it.",
    "import_example": "No sentence was found that the model can read within its {limit} tokens: "
    "give one with --example.",
    "import_name": "{name!r} cannot be the name of a checkpoint: give --name with letters, digits, dots and dashes.",
    "import_exists": "{folder} already has a checkpoint {name!r}: remove it, or give another --name.",
    "import_overflow": "The model computes values that are not finite for its own first example: "
    "choose another revision.",
    "import_space": "There is no room left in {folder}: free some space, give another --out, or add --half.",
    "import_hub": "{name!r} is no folder here, and huggingface_hub is not installed to download it: "
    "pip install -r requirements-hub.txt, or give a folder.",
    "import_unknown": "The hub has no model {name!r} with this revision: check the name.",
    "import_network": "{name!r} could not be downloaded ({problem}): check the network, or give a folder.",
    "import_other": "The checkpoint {name!r} holds other weights than this folder: import the folder under another "
    "--name.",
    "import_check": "--check compares the model with transformers, which is not installed: pip install "
    "transformers, then run the command again.",
    "import_unread": "transformers {version} cannot read this folder itself ({problem}), so nothing can be "
    "compared: import it without --check, or mend the folder.",
    "import_differs": "transformers {version} computes something else for “{sentence}” ({what} differs by "
    "{difference}), so the model is not imported: choose another one.",
    "import_ids": "transformers {version} reads “{sentence}” as the ids {theirs}, and the files of the tokenizer give "
    "{ours}. If you know that the files are right, import with --no-check; else use the tokenizer that belongs to the "
    "model.",
    "import_fields": "config.json or a file of the tokenizer holds a value that a {family} model cannot have "
    "({problem}): use the files that belong to the model.",
    "import_below": "{folder} has no weights itself, but {below} has: import that folder, with the tokenizer's "
    "files copied into it if it lacks them.",
    "import_snapshots": "{folder} is a cache with several versions of a model: give one of the folders below its "
    "snapshots/.",
    "import_pointer": "{file} is a Git LFS pointer, which only names the real file: run git lfs pull in its folder, or "
    "download the file itself.",
    # dictionaries of features
    "features_numbers": "This model reads numbers, not sentences: choose another for a dictionary of features.",
    "features_site": "The model has no site {name!r}: choose another, such as {nearest}.",
    "features_parallel": "{name} reads what entered its layer, beside attention: choose the residual after it instead.",
    "features_number": "There is no feature {number}: choose one from 0 to {last}.",
    "features_words": "This model has no output layer, so no feature makes a word likelier: choose another model.",
    "features_few": "A dictionary needs vectors of more than one token, and there are {count}: give more sentences.",
    "features_lines": "Checkpoint {name!r} has no recipe whose sentences could be read: "
    "give some with --lines FILE.txt.",
    "features_sentences": "{count} of the sentences can be read: give at least {least}.",
    "features_missing": "Checkpoint {name!r} has no dictionary of {site}: "
    "make one with python -m model features {name}.",
    "features_damaged": "Checkpoint {name!r}: {file} cannot be read as a dictionary of features. Make it again.",
    "quiz_number": "“{value}” is not a number: type one like 1024, 0.5 or 1/8.",
    "quiz_shape": "“{value}” is not a shape: type whole numbers, like 4, 9, 9.",
    # one server, many users
    "fair_runs": "You have made more than {limit} changes within a minute: wait {seconds} s, then go on. "
    "Everyone shares this server.",
    "fair_passes": "You have sent more than {limit} new sentences within a minute: wait {seconds} s, then go on. "
    "Everyone shares this server.",
    "fair_uploads": "You have uploaded more than {limit} files within a minute: wait {seconds} s, then try again.",
    "fair_codes": "You have tried {limit} wrong codes within a minute: wait {seconds} s, then try again.",
    "fair_rooms": "More than {limit} classes were started within a minute: wait {seconds} s, then try again.",
    "fair_acts": "You have sent more than {limit} things to the class within a minute: wait {seconds} s.",
    "fair_files": "You have downloaded more than {limit} files within a minute: wait {seconds} s, then try again.",
    "fair_uploads_held": "The server has no room for another file now: remove one that you no longer need, or wait "
    "a minute and try again.",
    "fair_requests": "This browser asks the server for too much at once: wait a moment, then try again.",
    # classes
    "rooms_full": "This server holds as many classes as it can: try again later.",
    "rooms_closed": "The database of the classes does not answer: tell whoever runs this server.",
    "room_unknown": "There is no class with this code: check it with your teacher.",
    "room_full": "This class is full: it holds {limit} people. Ask your teacher to remove who does not belong there.",
    "room_locked": "Your teacher lets nobody else into this class: ask them to open it.",
    "room_removed": "Your teacher has removed you from this class: ask them to let you back in.",
    "room_option": "This question has answers to choose from: choose one of them.",
    "room_quiz": "This is a question of the quiz: answer it on its page.",
    "room_teaches": "You are teaching a class: end it before you join another one.",
    "room_teacher": "Only the teacher of this class can do this.",
    "room_over": "This class has ended.",
    "room_long": "This is too long: at most {limit} characters.",
    "room_question": "The question is empty: type one.",
    "room_options": "A choice needs two to {limit} different answers: type each on a line of its own.",
    "room_tasks": "A class can be asked at most {limit} questions.",
    "room_minutes": "A countdown takes at most {limit} minutes: type a number.",
    "room_answer": "The answer is empty: type one.",
    "room_closed": "This question takes no more answers.",
    "lesson_unread": "This is no lesson of Glassformer: open a link or a file that “My lesson” has made.",
    "lesson_parts": "A lesson has at most {limit} views.",
    "room_view": "This address is no page of Glassformer.",
    "learning_few": "{count} people have answered both parts: results appear if at least {minimum} have. With fewer, "
    "they could be chance and could identify individuals.",
}


class InvalidInput(ValueError):
    """Bad input, a bad configuration or a damaged checkpoint; `str()` is the English sentence."""

    def __init__(self, code: str, **values: object):
        self.code = code
        self.values = values
        super().__init__(SENTENCES[code].format(**values))

    def __reduce__(self) -> tuple[object, ...]:
        """For the way between processes: code and values, not the sentence."""
        return _refused, (self.code, self.values)


def is_panic(error: BaseException) -> bool:
    """Whether a library has failed in Rust: no `except Exception` catches that, and nothing exports its type."""
    return type(error).__name__ == "PanicException"


def _refused(code: str, values: dict[str, object]) -> InvalidInput:
    return InvalidInput(code, **values)
