// Students of a class, each with the client of the line of the class: they answer, and say what becomes of it, a line each:
//   lost      no server took a request
//   waiting   the class cannot take the answer now; it is sent again
//   sent …    it has arrived, with what the server says to it

import { ClassClient } from "../../../../viz/frontend/classroom/class_client.js";

const { base, keys, task } = JSON.parse(process.argv[2]);
const kept = new Map();
globalThis.sessionStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
const fetched = globalThis.fetch;
globalThis.fetch = (address, options) =>
  fetched(address, options).catch((error) => {
    if (options.method === "POST") console.log("lost");
    throw error;
  });

const students = keys.map((key) => new ClassClient({ base, key, language: "en" }, false, () => {}));
const sent = students.map((student, at) => student.act({ do: "answer", task, text: `answer ${at}` }, () => console.log("waiting")).then((problem) => console.log(`sent ${problem}`)));
await Promise.all(sent);
students.forEach((student) => student.stop());
process.exit();
