/**
 * How the hosted page is opened. A pop-up is only allowed inside a click, before anything is awaited, so it opens
 * empty and is pointed at its address afterwards.
 */

/** The pop-up, with a word in it while there is no address; `null` when the browser blocked it. */
export function openPopup(window: Window, url: string, waitingText: string): Window | null {
  const popup = window.open(url, '_blank', 'popup,width=480,height=740')
  try {
    if (popup && !url) Object.assign(popup.document.body, { dir: 'auto', textContent: waitingText })
  } catch {
    // From a frame without an origin it is a stranger's, and stays empty.
  }
  return popup
}

/**
 * A pop-up where it is at home: a wide window with a mouse. Phones, and the apps in them that drop or trap pop-ups,
 * go to the hosted page and come back.
 */
export function prefersPopup(wish: string, window: Window): boolean {
  const isDesk = window.matchMedia('(pointer: fine) and (min-width: 768px)').matches
  return wish === 'popup' || (wish !== 'redirect' && isDesk)
}
