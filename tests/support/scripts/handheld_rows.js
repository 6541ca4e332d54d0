rows => new Promise((done, fail) => {
  const asked = indexedDB.open("maexchen.own", 1);
  asked.onerror = fail;
  asked.onsuccess = () => {
    const kept = asked.result.transaction("kept", "readwrite").objectStore("kept");
    for (const [key, row] of Object.entries(rows)) kept.put(row, key);
    const found = kept.getAllKeys();
    found.onsuccess = () => { asked.result.close(); done(found.result); };
  };
})
