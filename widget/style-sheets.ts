/** The element's style sheet. */

import styles from './gateway-checkout.css?inline'

/**
 * Creates the sheet without Lit's `css`, which would add four times the code.
 *
 * @param global The global object of the document. On a server it has no `CSSStyleSheet`.
 */
export function createStyleSheets({ CSSStyleSheet }: Partial<typeof globalThis>): CSSStyleSheet[] {
  if (CSSStyleSheet === undefined) return []
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  return [sheet]
}
