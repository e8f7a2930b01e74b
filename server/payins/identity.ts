/** The text by which an id, a reference or a receipt of a payment is compared. Pure. */

import { withoutInvisible } from '../contract/text.ts'

/**
 * Returns the text by which an id, an operator's reference or a receipt is found and compared; `null` if there is none.
 * [assumed] Neither spaces, invisible characters, letters and digits in full width nor case make another one.
 */
export function identityOf(text: string | null): string | null {
  if (text === null) {
    return null
  }
  return withoutInvisible(text.normalize('NFKC')).replaceAll(/\s/g, '').toUpperCase() || null
}
