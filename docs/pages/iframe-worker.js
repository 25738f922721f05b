// Browsers refuse workers to pages that are opened as files; there the search runs in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(address) {
      const script = document.createElement("script");
      script.src = new URL(address, location.href).href;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = script.outerHTML;
      this.inner = new Promise((resolve) => {
        this.frame.onload = () => resolve(this.frame.contentWindow);
      });
      document.documentElement.append(this.frame);
      this.inner.then((inner) => {
        // As between workers, a message is a copy and arrives later.
        inner.postMessage = (data) => setTimeout(() => this.onmessage?.({ data: structuredClone(data) }));
      });
    }
    postMessage(data) {
      const copy = structuredClone(data);
      this.inner.then((inner) => inner.onmessage({ data: copy }));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
