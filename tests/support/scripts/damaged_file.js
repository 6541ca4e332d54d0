async (name) => {
  const opened = indexedDB.open("/kept");
  await new Promise((done) => { opened.onsuccess = done; });
  const store = opened.result.transaction("FILE_DATA", "readwrite").objectStore("FILE_DATA");
  const found = store.get(name);
  await new Promise((done) => { found.onsuccess = done; });
  const written = store.put({ ...found.result, contents: new Uint8Array(3000).fill(23) }, name);
  await new Promise((done) => { written.onsuccess = done; });
}
