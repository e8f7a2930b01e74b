/** Downloads and draws the code of the hosted page when the shopper has opened its disclosure. */

import { payUrl, viewOf } from './session/state.ts'

import type { Words } from './locales/en.ts'
import type { Session } from './session/state.ts'

/**
 * If the download fails, closes the disclosure: the shopper can open it again, or pay on this device.
 *
 * @param words Read when the module has arrived: the words of another language may have arrived meanwhile.
 */
export function loadCode(root: ParentNode, session: Session, words: () => Words): void {
  const disclosure = root.querySelector('details')
  const place = disclosure?.querySelector('.code')
  const url = payUrl(viewOf(session))
  if (!disclosure?.open || !place || url === null) return
  import('./qr-code.ts').then(
    ({ drawCode }) => drawCode(place, url, words().phone),
    () => (disclosure.open = false),
  )
}
