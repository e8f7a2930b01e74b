/**
 * Returns the function that adds a style sheet to a shadow root, unless it is already there. Each style sheet belongs
 * to one document. Lit's `css` would need four times the code.
 */
export function styleSheet(text: string): (root: ShadowRoot) => void {
  const sheets = new WeakMap<Document, CSSStyleSheet>()
  return (root) => {
    const { ownerDocument, adoptedStyleSheets } = root
    const view = ownerDocument.defaultView
    // Nobody sees a document without a window.
    if (!view) {
      return
    }

    let sheet = sheets.get(ownerDocument)
    if (!sheet) {
      // A form of the page with the name "defaultView" is no window.
      sheet = new (view.CSSStyleSheet ?? CSSStyleSheet)()
      sheet.replaceSync(text)
      sheets.set(ownerDocument, sheet)
    }
    if (!adoptedStyleSheets.includes(sheet)) {
      root.adoptedStyleSheets = [...adoptedStyleSheets, sheet]
    }
  }
}
