(() => {
  const fetched = self.fetch;
  self.fetch = async (path, ...how) => {
    if (String(path).startsWith("/games")) await new Promise((done) => { self.goOn = done; });
    return fetched(path, ...how);
  };
})()
