"""Features: a dictionary of the encoder's output, found in the sentence in view, named, and used to steer."""

from pages.features import beside, in_sentence, small_model, steering, training
from pages.features.dictionary_in_view import with_dictionary
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.models import model_notices
from pages.shared.models.sentence import read

page.head(
    "features",
    tour=(
        Stop("features.tour_toy", "figure_toy", {"show": None, "sparsity": None}),
        Stop("features.tour_sentence", "figure_sentence", {"show": "sentence", "token": None, "feature": None}),
        Stop("features.tour_feature", "figure_feature", {"show": "sentence", "about": None}),
        Stop("features.tour_steer", "figure_steer", {"show": "steer"}),
        Stop("features.tour_beside", "figure_beside", {"show": "beside"}),
    ),
)
current_run = read()
model_notices.untrained(current_run)
page.tabs(
    "features",
    {
        "toy": small_model.figure,
        "sentence": with_dictionary(in_sentence.figures),
        "steer": with_dictionary(steering.figures),
        "beside": with_dictionary(beside.figures),
        "train": training.figures,
    },
    current_run,
    own={
        "sentence": "token feature about",
        "steer": "steer factor strength where way",
        "train": "at features active seed_run",
    },
)
tour.try_this(
    {
        "features.try_sparse": Step("figure_toy", {"show": None, "sparsity": 0.7}),
        "features.try_sentence": Step("figure_sentence", {"show": "sentence"}),
        "features.try_steer": Step("figure_steer", {"show": "steer"}),
    }
)
