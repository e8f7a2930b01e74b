/** Window events after which the page may have become visible, hidden, online or offline. */
const EVENTS = ['visibilitychange', 'pageshow', 'focus', 'online', 'offline']

/** Calls `run` after each such event, until the signal of `options` aborts. */
export function onPageChange(window: Window, options: { signal: AbortSignal }, run: () => void): void {
  for (const type of EVENTS) window.addEventListener(type, run, options)
}
