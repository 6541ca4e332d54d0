async ([url, home]) => {
  const { dial } = await import(`${home}broker.js`);
  self.told = [];
  const stream = self.stream = dial(url, {
    opened: () => self.told.push("opened"),
    heard: (text) => self.told.push(text),
    ended: () => self.told.push("ended"),
  });
}
