/** Decides where the hosted page opens: in this window, or in a pop-up, which `button/popup.ts` opens. Pure. */

/**
 * Returns whether the hosted page opens in a pop-up: always from a frame, because the page refuses to be framed. By
 * default, a pop-up otherwise opens only on a wide screen with a mouse.
 *
 * @param launch The value of the `launch` attribute.
 */
export function prefersPopup(launch: string, window: Window): boolean {
  if (launch === 'popup' || window.parent !== window.self) {
    return true
  }
  return launch !== 'redirect' && isDesktop(window)
}

/** Returns whether the screen is wide and has a mouse. */
export function isDesktop(window: Window): boolean {
  return window.matchMedia('(pointer: fine) and (min-width: 768px)').matches
}
