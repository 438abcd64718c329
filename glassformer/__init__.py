"""Attention figures for notebooks: numpy, torch or lists in; a figure out that displays itself and saves itself.

    import glassformer

    outputs = model(**inputs, output_attentions=True)  # a model of Hugging Face, attn_implementation="eager"
    glassformer.head_wall(outputs, tokenizer.convert_ids_to_tokens(inputs.input_ids[0]))

`attention_lines` and `head_wall` show attention weights, `matrix` any matrix, `trace` a recorded pass. Each returns a
`Figure`. docs/notebook.md in the repository has the guide.
"""

from glassformer.attention import attention_lines, head_wall
from glassformer.figure import Figure
from glassformer.matrices import matrix
from glassformer.recordings import trace
from glassformer.viz.version import VERSION as __version__

__all__ = ["Figure", "__version__", "attention_lines", "head_wall", "matrix", "trace"]
