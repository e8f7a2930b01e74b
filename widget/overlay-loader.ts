/** Shows the overlay while the pop-up is open, until the shopper leaves the overlay. */

import { describeSession, endNote, staleNote } from './sentence.ts'
import { hasPopup, isPrompted, stateOf, viewOf } from './session/state.ts'
import { styleSheet } from './style-sheets.ts'

import type * as Module from './overlay.ts'
import type { Session } from './session/state.ts'
import type { RenderContext } from './templates/render-context.ts'

export class OverlayLoader {
  #module: typeof Module | null = null
  #adoptStyles: (root: ShadowRoot) => void = () => {}
  #isRequested = false
  /** Whether the shopper has left the overlay of the pop-up that is open. */
  #hasLeft = false

  /**
   * Closes the overlay if its time is over. Called before the element renders what has happened: outside an open modal
   * dialog, nothing is announced.
   */
  close(root: ShadowRoot | null, session: Session): void {
    if (!hasPopup(session)) this.#hasLeft = false
    if (root && !this.#isWanted(session)) this.#module?.closeOverlay(root)
  }

  /**
   * Opens the overlay, or updates an open one.
   *
   * @param context Read again when the module has arrived: the checkout may have ended meanwhile.
   */
  open(root: ShadowRoot, context: () => RenderContext): void {
    const { session, words, window, now, reopen } = context()
    if (!this.#isWanted(session)) return
    this.#adoptStyles(root)
    if (this.#module)
      return this.#module.openOverlay(root, {
        words: words.overlay,
        detail: describeSession(session, words, now)[1],
        stale: staleNote(session, words, window.navigator.onLine),
        ending: endNote(session, words, now),
        show: reopen,
        leave: () => (this.#hasLeft = true),
      })
    if (this.#isRequested) return
    this.#isRequested = true
    import('./overlay.ts').then(
      (module) => {
        this.#module = module
        this.#adoptStyles = styleSheet(module.styles)
        this.open(root, context)
      },
      () => {},
    )
  }

  #isWanted(session: Session): boolean {
    return (
      !this.#hasLeft && stateOf(session) === 'waiting' && hasPopup(session) && !isPrompted(viewOf(session))
    )
  }
}
