/**
 * Returns the function that adds a style sheet to a shadow root, unless it is already there. Each style sheet belongs to
 * one document. Lit's `css` would need four times the code.
 */
export function styleSheet(text: string): (root: ShadowRoot) => void {
  const sheets = new WeakMap<Document, CSSStyleSheet>()
  return (root) => {
    const { ownerDocument, adoptedStyleSheets } = root
    const view = ownerDocument.defaultView
    // Nobody sees a document without a window.
    if (!view) return
    const sheet = sheets.get(ownerDocument) ?? new view.CSSStyleSheet()
    if (adoptedStyleSheets.includes(sheet)) return
    if (!sheets.has(ownerDocument)) sheet.replaceSync(text)
    sheets.set(ownerDocument, sheet)
    root.adoptedStyleSheets = [...adoptedStyleSheets, sheet]
  }
}
