() => {
  IDBObjectStore.prototype.put = function put() {
    const error = new DOMException("the disk is full", "QuotaExceededError");
    Object.defineProperty(this.transaction, "error", { value: error });
    this.transaction.abort();
  };
}
