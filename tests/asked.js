// Knows whether a run of the page was asked for and has not ended. Until the server's first answer the page itself
// shows nothing of it: its script state still says that nothing runs.
({ rerun, began, ended, early }) => {
  // The fields of a protobuf message by number, nested ones as their length.
  const fields = (bytes) => {
    const found = {};
    let at = 0;
    const varint = () => {
      let value = 0;
      for (let unit = 1; ; unit *= 128) {
        const byte = bytes[at++];
        value += (byte & 127) * unit;
        if (byte < 128) return value;
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
  const heard = (event) => {
    const message = fields(new Uint8Array(event.data));
    if (began in message) state = "running";
    if (state === "running" && ended in message && message[ended] !== early)
      setTimeout(() => (window.runIsAsked = false));  // after the page has read it
  };

  const { send } = WebSocket.prototype;
  const sockets = new WeakSet();
  WebSocket.prototype.send = function (data) {
    if (!sockets.has(this)) this.addEventListener("message", heard);
    sockets.add(this);
    if (data instanceof Uint8Array && data[0] >> 3 === rerun) {
      state = "asked";
      window.runIsAsked = true;
    }
    return send.call(this, data);
  };
}
