(() => {
  const refuse = () => { throw new DOMException("refused", "SecurityError"); };
  IDBFactory.prototype.open = refuse;
  self.BroadcastChannel = function BroadcastChannel() { refuse(); };
  for (const name of self.window ? ["localStorage", "sessionStorage"] : [])
    Object.defineProperty(window, name, { configurable: true, get: refuse });
})();
