/**
 * Opens the hosted page, and says how it looks from here.
 *
 * A pop-up is only allowed inside a click, before anything is awaited, so it opens empty and is pointed at its
 * address afterwards. Its `closed` flag is never proof: a hosted page with `Cross-Origin-Opener-Policy` looks
 * closed while it is open.
 */

export type Launch = 'redirect' | 'popup'

/** The part of `window` that launching needs. */
export interface Surroundings {
  open(url: string, target: string, features: string): Window | null
  matchMedia(query: string): { matches: boolean }
  navigator: { userAgent: string }
  location: { assign(url: string): void }
  screen: { availWidth: number; availHeight: number }
}

export interface Launcher {
  /** Opens a pop-up, empty while there is no address; false when the browser blocked it. */
  open(url: string | null, waitingText: string): boolean
  point(url: string): void
  focus(): void
  close(): void
  /** Leaves this page for the hosted one. */
  leave(url: string): void
  /** Whether a pop-up was opened from here and now looks closed. */
  looksClosed(): boolean
}

const WIDTH_PX = 480
const HEIGHT_PX = 740

/** @param name window name, unique per element: two tags must not share one pop-up. */
export function createLauncher(window: Surroundings, name: string): Launcher {
  let popup: Window | null = null
  return {
    open(url, waitingText) {
      popup = window.open(url ?? '', name, features(window.screen))
      if (popup !== null && url === null) write(popup, waitingText)
      return popup !== null
    },
    point: (url) => popup?.location.replace(url),
    focus: () => popup?.focus(),
    close() {
      popup?.close()
      popup = null
    },
    leave: (url) => window.location.assign(url),
    looksClosed: () => popup?.closed === true,
  }
}

/**
 * A pop-up where it is at home: a wide window with a mouse. Phones and in-app browsers, which drop or trap
 * pop-ups, go to the hosted page and come back.
 */
export function chooseLaunch(wish: string, window: Surroundings): Launch {
  if (wish === 'redirect' || wish === 'popup') return wish
  const desktop = window.matchMedia('(pointer: fine) and (min-width: 768px)').matches
  return desktop && !isInAppBrowser(window.navigator.userAgent) ? 'popup' : 'redirect'
}

/** [assumed] Known by their marks in the user agent; an iOS web view lacks "Safari". */
function isInAppBrowser(userAgent: string): boolean {
  return (
    /FBA[NV]|Instagram|Line\/|MicroMessenger|TikTok|musical_ly|Snapchat|Twitter|; wv\)/.test(userAgent) ||
    (/iPhone|iPad|iPod/.test(userAgent) && !userAgent.includes('Safari/'))
  )
}

function features(screen: Surroundings['screen']): string {
  const left = Math.max(0, Math.round((screen.availWidth - WIDTH_PX) / 2))
  const top = Math.max(0, Math.round((screen.availHeight - HEIGHT_PX) / 2))
  return `popup,width=${WIDTH_PX},height=${HEIGHT_PX},left=${left},top=${top}`
}

/** A word in the empty window, so that nobody closes it as broken. */
function write({ document }: Window, text: string) {
  document.title = text
  document.body.textContent = text
  document.body.style.font = '1.125rem system-ui, sans-serif'
  document.body.style.textAlign = 'center'
  document.body.style.marginBlock = '40vh'
}
