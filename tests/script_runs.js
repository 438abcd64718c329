// Knows whether a run of the page was asked for and has not ended. Until the server's first answer the page itself
// shows nothing of it: its script state still says that nothing runs.
({ rerun, began, ended, early, patience }) => {
  // The fields of a protobuf message by number: numbers as they are, texts and messages as their length.
  const fields = (bytes) => {
    const found = {};
    let at = 0;
    const varint = () => {
      let value = 0;
      for (let unit = 1; ; unit *= 128) {
        const byte = bytes[at++];
        value += (byte & 127) * unit;
        if (!(byte >= 128)) return value;
      }
    };
    while (at < bytes.length) {
      const key = varint();
      found[key >> 3] = varint();
      if ((key & 7) === 2) at += found[key >> 3];
    }
    return found;
  };

  let state = "ended";
  let turn = 0;
  const to = (next) => {
    state = next;
    turn++;
    if (next !== "ended") window.runIsAsked = true;
    return turn;
  };
  const later = (expected, milliseconds) =>
    setTimeout(() => {
      if (turn !== expected) return;
      state = "ended";
      window.runIsAsked = false;
    }, milliseconds);

  const heard = (event) => {
    const message = fields(new Uint8Array(event.data));
    if (began in message) to("running");
    if (state === "running" && ended in message && message[ended] !== early) later(to("ended"), 0); // once it is read
  };

  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    this.addEventListener("message", heard);
    // The server says nothing of a request that it drops, for a part of a page that has been left.
    if (data instanceof Uint8Array && rerun in fields(data)) later(to("asked"), patience);
    return send.call(this, data);
  };
}
