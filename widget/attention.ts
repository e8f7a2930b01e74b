/** Whether somebody is looking and the network is there: nothing is asked while it would be in vain. */

export interface Attention {
  isThere(): boolean
  /** Tells of every coming, going and returning; the answer stops it. */
  watch(changed: () => void): () => void
}

const SIGNS = ['visibilitychange', 'pageshow', 'focus', 'online', 'offline']

export function createAttention(window: Window): Attention {
  return {
    isThere: () => !window.document.hidden && window.navigator.onLine,
    watch(changed) {
      for (const sign of SIGNS) window.addEventListener(sign, changed)
      return () => {
        for (const sign of SIGNS) window.removeEventListener(sign, changed)
      }
    },
  }
}
