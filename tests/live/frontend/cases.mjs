// What Python computed for a test: see test_frontend.py.

import { readFileSync, writeFileSync } from "node:fs";

const folder = process.env.CASES;

export const json = (name) => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
export const bytes = (name) => new Uint8Array(readFileSync(`${folder}/${name}`));

// For Python to look at.
export const write = (name, content) => writeFileSync(`${folder}/${name}`, content);
