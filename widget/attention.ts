/** Whether somebody is looking and the network is there: nothing is asked while it would be in vain. */

export interface Attention {
  isThere(): boolean
  /** Tells of every coming, going and returning; the answer stops it. */
  watch(changed: () => void): () => void
}

export function createAttention(window: Window): Attention {
  const { document, navigator } = window
  return {
    isThere: () => document.visibilityState === 'visible' && navigator.onLine,
    watch(changed) {
      document.addEventListener('visibilitychange', changed)
      for (const event of ['pageshow', 'focus', 'online', 'offline']) window.addEventListener(event, changed)
      return () => {
        document.removeEventListener('visibilitychange', changed)
        for (const event of ['pageshow', 'focus', 'online', 'offline'])
          window.removeEventListener(event, changed)
      }
    },
  }
}
