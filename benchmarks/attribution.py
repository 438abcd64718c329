"""Which words caused a word: all seven methods on one word ÷ captum's for three of them, one thread, `de-en`."""

from fractions import Fraction

import torch
from captum.attr import FeatureAblation, InputXGradient, IntegratedGradients
from torch import Tensor

from benchmarks.harness.timing import Row, medians, seconds
from model.attribution import method_names, methods
from model.attribution.why_question import Question
from model.checkpoint import catalogue, checkpoints
from model.decode.translate import translate
from model.edit.edit_effects import generated

STEPS = 96  # of captum's integrated gradients; ours takes as many as its path needs
SENTENCE = "Wir gehen heute mit unseren Freunden ins Kino und danach nach Hause."


def attribution() -> list[Row]:
    """The fifth word of a translation of more than ten."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        checkpoint = checkpoints.load(catalogue.find("de-en"))
        run = translate(checkpoint, SENTENCE)
        question = Question(run, 4, int(generated(run)[4]))
        inputs = tuple(
            torch.tensor(run.trace.values[f"{side}.embedding"][:count])[None]
            for side, count in (("encoder", None), ("decoder", len(question.target)))
        )

        def score(source: Tensor, target: Tensor) -> Tensor:
            def embedded(name: str, value: Tensor) -> Tensor:
                return {"encoder.embedding": source, "decoder.embedding": target}.get(name, value)

            ids = [torch.tensor([each]).expand(len(source), -1) for each in (question.source, question.target)]
            logits = checkpoint.model(*ids, tap=embedded)
            return logits[:, -1].log_softmax(-1)[:, question.word]

        tokens = tuple(torch.arange(each.size(1))[None, :, None] for each in inputs)
        words = (tokens[0], tokens[1] + inputs[0].size(1))  # one feature for each token

        def theirs() -> None:
            InputXGradient(score).attribute(tuple(each.clone().requires_grad_() for each in inputs))
            IntegratedGradients(score).attribute(inputs, n_steps=STEPS, method="gausslegendre")
            FeatureAblation(score).attribute(inputs, feature_mask=words)

        def ours() -> None:
            for method in method_names.METHODS:
                methods.attribution(checkpoint, question, method)

        medians(lambda: seconds(ours), lambda: seconds(theirs), 2)
        a, b = medians(lambda: seconds(ours), lambda: seconds(theirs), 9)
    finally:
        torch.set_num_threads(threads)
    return [Row("why: seven methods on one word ÷ captum's three", a, b, Fraction(1))]
