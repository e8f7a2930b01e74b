/**
 * Opens the hosted page, and says how it looks from here.
 *
 * A pop-up is only allowed inside a click, before anything is awaited, so it opens empty and is pointed at its
 * address afterwards. Its `closed` flag is never proof: a hosted page with `Cross-Origin-Opener-Policy` looks
 * closed while it is open.
 */

export type Launch = 'redirect' | 'popup'

export interface Launcher {
  /** Opens a pop-up, with a word in it while there is no address; false when the browser blocked it. */
  open(url: string | null, waitingText: string): boolean
  point(url: string): void
  focus(): void
  close(): void
  /** Whether a pop-up was opened from here and now looks closed. */
  looksClosed(): boolean
}

export function createLauncher(window: Pick<Window, 'open'>): Launcher {
  let popup: Window | null = null
  return {
    open(url, waitingText) {
      popup?.close()
      popup = window.open(url ?? '', '_blank', 'popup,width=480,height=740')
      if (popup !== null && url === null) popup.document.body.textContent = waitingText
      return popup !== null
    },
    point: (url) => popup?.location.replace(url),
    focus: () => popup?.focus(),
    close: () => popup?.close(),
    looksClosed: () => popup?.closed === true,
  }
}

/** [assumed] In-app browsers are known by their marks in the user agent; an iOS web view lacks "Safari". */
const IN_APP = /FBA[NV]|Instagram|Line\/|MicroMessenger|TikTok|musical_ly|Snapchat|; wv\)|iP(?!.*Safari)/

/**
 * A pop-up where it is at home: a wide window with a mouse. Phones and in-app browsers, which drop or trap
 * pop-ups, go to the hosted page and come back.
 */
export function chooseLaunch(wish: string, window: Pick<Window, 'matchMedia' | 'navigator'>): Launch {
  if (wish === 'redirect' || wish === 'popup') return wish
  const isDesktop = window.matchMedia('(pointer: fine) and (min-width: 768px)').matches
  return isDesktop && !IN_APP.test(window.navigator.userAgent) ? 'popup' : 'redirect'
}
