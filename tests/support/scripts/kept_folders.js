async ([name, lock]) => {
  const { loadPyodide } = await import(new URL("pyodide.mjs", location.href));
  const { keptFolder } = await import(new URL("static/streams.js", location.href));
  const home = new URL("./", location.href).href;
  const stdLibURL = `${home}library.zip`;
  const { FS } = await loadPyodide({ indexURL: home, stdLibURL, lockFileContents: lock });
  const keep = await keptFolder(FS, name), files = ["one", "two"].map((each) => `${name}/${each}`);
  const write = (...texts) => texts.forEach((text, place) => FS.writeFile(files[place], text));
  const stored = async () => {
    const asked = indexedDB.open(name);
    await new Promise((done) => { asked.onsuccess = done; });
    const store = asked.result.transaction("FILE_DATA").objectStore("FILE_DATA");
    const found = await Promise.all(files.map((path) => new Promise((done) => {
      const entry = store.get(path);
      entry.onsuccess = () => done(new TextDecoder().decode(entry.result?.contents));
    })));
    asked.result.close();
    return found.join(" ");
  };
  const seen = [];
  write("1", "1");
  await keep();
  write("2");
  const keeping = keep();
  for (let turn = 0; turn < 20; turn++) await null; // no database answers so soon
  write("3", "3");
  await keeping;
  seen.push(await stored());
  await keep();
  seen.push(await stored());
  const { put } = IDBObjectStore.prototype;
  let puts = 0;
  IDBObjectStore.prototype.put = function (...given) {
    if (puts++) throw new DOMException("full", "QuotaExceededError");
    return put.apply(this, given);
  };
  write("4", "4");
  seen.push(await keep().catch((error) => error.message));
  IDBObjectStore.prototype.put = put;
  seen.push(await stored());
  await keep();
  seen.push(await stored());
  return seen;
}
