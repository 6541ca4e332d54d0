// <maexchen-handheld>: a handheld with its table, in any page. It is a frame around the site that this file is of.
// docs/site in the project's sources has all attributes, methods and events.
(() => {
  const HOME = new URL("./", document.currentScript.src);
  const SETUP = ["game", "players", "bots", "seed"];
  const KEYS = { shake: "shake", tap: "tap", hold: "hold", left: "left", right: "right" };
  let count = 0;

  class MaexchenHandheld extends HTMLElement {
    static observedAttributes = [...SETUP, "options", "lang", "table"];

    connectedCallback() {
      this.number ??= ++count;
      addEventListener("message", this);
      if (!this.frame) this.#build();
      this.#open();
    }
    disconnectedCallback() {
      removeEventListener("message", this);
    }
    attributeChangedCallback(_name, before, after) {
      if (this.frame && before !== after) this.#open();
    }

    // The address of the set-up, as a link of the site.
    get address() {
      const address = new URL("seat.html", HOME);
      address.searchParams.set("table", this.getAttribute("table") ?? `embedded-${this.number}`);
      const parts = new URLSearchParams(this.getAttribute("options") ?? "");
      for (const name of [...SETUP, "lang"]) if (this.hasAttribute(name)) parts.set(name, this.getAttribute(name));
      address.hash = parts;
      return address.href;
    }
    get language() { return this.getAttribute("lang") ?? ""; }
    set language(tag) { this.setAttribute("lang", tag); }

    // A gesture of the hand: shake, lift, cover, tap, hold, left or right.
    gesture(name) {
      if (name === "lift") this.#do({ do: "lift", on: true });
      else if (name === "cover") this.#do({ do: "cover" });
      else if (name in KEYS) for (const on of [true, false]) this.#do({ do: "key", key: KEYS[name], on });
      else throw new TypeError(`gesture ${name}: use one of lift, cover, ${Object.keys(KEYS).join(", ")}`);
    }
    // Moves the dial by so many entries: to the right, or (negative) to the left.
    turn(entries) { this.#do({ do: "turn", by: entries }); }

    handleEvent({ source, data }) {
      if (source !== this.frame.contentWindow || data?.from !== "maexchen") return;
      this.dispatchEvent(new CustomEvent(data.is, { detail: data.detail, bubbles: true, composed: true }));
    }
    #do(what) {
      this.frame?.contentWindow?.postMessage({ to: "maexchen", what }, HOME.origin);
    }
    #build() {
      const frame = this.frame = document.createElement("iframe");
      frame.allow = `accelerometer; gyroscope; autoplay; clipboard-write; fullscreen; screen-wake-lock${"share" in navigator ? "; web-share" : ""}`;
      frame.title = "Mäxchen";
      Object.assign(frame.style, { display: "block", width: "100%", height: "100%", border: "0" });
      this.attachShadow({ mode: "open" }).append(frame);
      const { display, height } = this.style;
      Object.assign(this.style, { display: display || "block", height: height || "44rem" });
    }
    #open() {
      if (this.frame.src !== this.address) this.frame.src = this.address;
    }
  }
  customElements.define("maexchen-handheld", MaexchenHandheld);
})();
