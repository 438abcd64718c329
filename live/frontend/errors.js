// What the worker refuses: a code and fields, as in model/errors/, which engine.js hands to the page.

export class Refused extends Error {
  constructor(code, fields = {}) {
    super(code);
    this.code = code;
    this.fields = fields;
  }
}
