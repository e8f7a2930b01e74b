/**
 * How the hosted page is opened. A pop-up is only allowed inside a click, before anything is awaited, so it opens
 * empty and is pointed at its address afterwards.
 */

export type Launch = 'redirect' | 'popup'

/** The pop-up, with a word in it while there is no address; `null` when the browser blocked it. */
export function openPopup(window: Window, url: string, waitingText: string): Window | null {
  const popup = window.open(url, '_blank', 'popup,width=480,height=740')
  if (popup && !url) popup.document.body.textContent = waitingText
  return popup
}

/**
 * A pop-up where it is at home: a wide window with a mouse. Phones and in-app browsers, which drop or trap
 * pop-ups, go to the hosted page and come back.
 */
export function chooseLaunch(wish: string, window: Window): Launch {
  if (wish === 'redirect' || wish === 'popup') return wish
  return window.matchMedia('(pointer: fine) and (min-width: 768px)').matches ? 'popup' : 'redirect'
}
