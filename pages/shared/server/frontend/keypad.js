// A phone shows its number keys for a field that wants a number: Streamlit's text field has no setting for that.
{
  const NUMBER = ".st-key-typed_number input";

  // while capturing: the keys come with the focus
  for (const event of ["pointerdown", "focusin"]) {
    document.addEventListener(event, ({ target }) => target.matches?.(NUMBER) && (target.inputMode = "decimal"), true);
  }
}
