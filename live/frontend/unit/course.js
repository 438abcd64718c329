// The course as a unit begins.

import { Course } from "../lessons/course.js";
import { Frame } from "./frame.js";

new Frame().start(Course);
