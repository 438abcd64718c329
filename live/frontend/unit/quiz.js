// The quiz as a unit begins.

import { Quiz } from "../lessons/quiz.js";
import { Frame } from "./frame.js";

new Frame().start(Quiz);
