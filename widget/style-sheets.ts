import styles from './gateway-checkout.css?inline'

/**
 * Creates the element's style sheet; returns an empty list on a server. Lit's `css` would need four times the code.
 *
 * @param global The document's global object, which has no `CSSStyleSheet` on a server.
 */
export function createStyleSheets({ CSSStyleSheet }: Partial<typeof globalThis>): CSSStyleSheet[] {
  if (CSSStyleSheet === undefined) return []
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  return [sheet]
}
