// The component: one attention figure.

import { mount } from "../common/mount.js";
import { Figure } from "./figure.js";

export default mount(".gf-attention", Figure);
