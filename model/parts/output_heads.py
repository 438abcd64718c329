"""What BERT and its relatives have behind the last layer. B batch, S tokens of the source."""

from torch import Tensor, nn

from model.config import TransformerConfig
from model.parts.activations import ACTIVATIONS
from model.parts.layer_norms import layer_norm
from model.trace import Tap, silent


class OutputTransform(nn.Module):
    """LayerNorm(a(x W + b)), which BERT puts between its last layer and the output; a is GELU."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.dense = nn.Linear(config.d_model, config.embedding_width)
        self.activation = ACTIVATIONS[config.output_activation]
        self.norm = layer_norm(config, config.embedding_width)

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(self.activation(self.dense(x)))


class LabelHead(nn.Module):
    """Logits of labels, for each token or, from the first token's vector, for the sentence."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.each = config.label_each
        if config.label_activation != "none":
            self.dense = nn.Linear(config.d_model, config.d_model)
            self.activation = ACTIVATIONS[config.label_activation]
        self.output = nn.Linear(config.d_model, len(config.labels))

    def forward(self, x: Tensor, tap: Tap = silent) -> Tensor:
        """(B, S, d_model) to (B, S or 1, labels)."""
        x = x if self.each else x[:, :1]
        if hasattr(self, "dense"):
            x = tap("label_transform", self.activation(self.dense(x)))  # (B, S or 1, d_model)
        return tap("labels", self.output(x))
