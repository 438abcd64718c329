// Each file of the figures, and each component made of them, can be loaded outside of a browser; not what starts them.

import assert from "node:assert/strict";
import { globSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";

const frontend = fileURLToPath(new URL("../../../viz/frontend", import.meta.url));

const figures = globSync("**/*.js", { cwd: frontend }).filter((name) => !/^(standalone|notebook)/.test(name));
for (const name of figures) test(name, () => import(`${frontend}/${name}`));

for (const name of globSync("viz.components.*.mjs", { cwd: process.env.CASES })) {
  test(name, async () => assert.equal(typeof (await import(`${process.env.CASES}/${name}`)).default, "function"));
}
