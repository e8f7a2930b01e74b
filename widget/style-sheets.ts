import styles from './gateway-checkout.css?inline'

/**
 * Creates the element's style sheet, in a list. The list is empty on a server. Lit's `css` would add four times the
 * code.
 *
 * @param global The global object of the document. On a server it has no `CSSStyleSheet`.
 */
export function createStyleSheets({ CSSStyleSheet }: Partial<typeof globalThis>): CSSStyleSheet[] {
  if (CSSStyleSheet === undefined) return []
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  return [sheet]
}
