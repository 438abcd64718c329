// One record that survives a reload, in the browser's own database. Both calls answer false or null where it keeps nothing.

const DATABASE = "glassformer";
const STORE = "training";

export async function keep(name, record) {
  try {
    await done((await store("readwrite")).put(record, name));
    return true;
  } catch {
    return false;
  }
}

export async function kept(name) {
  try {
    return (await done((await store("readonly")).get(name))) ?? null;
  } catch {
    return null;
  }
}

async function store(mode) {
  const asked = indexedDB.open(DATABASE, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
  return (await done(asked)).transaction(STORE, mode).objectStore(STORE);
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
