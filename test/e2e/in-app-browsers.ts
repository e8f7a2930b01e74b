/** The browsers inside other apps, in which a shopper follows a link to the shop: each with one thing that goes wrong. */

import type { BrowserContext } from 'playwright'

export interface InAppBrowser {
  /** How the shop's tag opens the hosted page. */
  launch: 'auto' | 'popup'
  /** The host under which the shop is opened. Default: the payment server's host. */
  host?: string
  /** How the shopper gets from the hosted page to the shop. */
  way: 'link' | 'shop again' | 'app again'
  prepare(context: BrowserContext): Promise<unknown>
}

export const IN_APP_BROWSERS = {
  'one window only: no window.open, and links to new windows do nothing': {
    launch: 'popup',
    way: 'link',
    prepare: (context) => context.addInitScript(stayInOneWindow),
  },
  'storage and cookies are wiped on return': {
    launch: 'auto',
    way: 'link',
    async prepare(context) {
      await context.addInitScript(wipeStorage)
      await context.route(/\/checkout\/return\//, async (route) => {
        await context.clearCookies()
        await route.continue()
      })
    },
  },
  'the app is killed while the PIN is entered': {
    launch: 'auto',
    way: 'app again',
    prepare: () => Promise.resolve(),
  },
  'the hosted page cannot lead back': {
    launch: 'auto',
    way: 'shop again',
    prepare: (context) => context.route(/\/checkout\/return\//, (route) => route.abort()),
  },
  'third-party cookies are off, and so is storage': {
    launch: 'auto',
    host: 'localhost',
    way: 'link',
    prepare: (context) => context.addInitScript(refuseStorage),
  },
  'an old WebView': {
    launch: 'auto',
    way: 'link',
    prepare: (context) => context.addInitScript(forgetFeatures),
  },
} as const satisfies Record<string, InAppBrowser>

/** Acts like a WebView whose app implements no windows: `window.open` returns null, `target` makes a link dead. */
function stayInOneWindow() {
  window.open = () => null
  addEventListener(
    'click',
    (event) => {
      const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement)
      if (link?.target && link.target !== '_self') event.preventDefault()
    },
    true,
  )
}

function wipeStorage() {
  try {
    sessionStorage.clear()
    localStorage.clear()
  } catch {
    // An empty page has no storage.
  }
}

function refuseStorage() {
  for (const name of ['sessionStorage', 'localStorage', 'indexedDB', 'caches'])
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
}

/** Removes what a WebView of Chromium 94 lacks: the oldest that runs ES2022, which the element is built for. */
function forgetFeatures() {
  const forget = (from: object | undefined, ...names: string[]) => {
    for (const name of names) if (from) Reflect.deleteProperty(from, name)
  }
  forget(window, 'structuredClone', 'navigation', 'Navigation', 'TrustedHTML', 'CloseWatcher', 'reportError')
  forget(HTMLElement.prototype, 'popover', 'showPopover', 'hidePopover', 'togglePopover', 'inert')
  forget(Element.prototype, 'setHTMLUnsafe', 'getHTML', 'ariaNotify', 'checkVisibility')
  forget(ShadowRoot.prototype, 'setHTMLUnsafe', 'getHTML')
  forget(HTMLTemplateElement.prototype, 'shadowRootMode', 'shadowRootDelegatesFocus')
  forget(Document, 'parseHTMLUnsafe')
  forget(Document.prototype, 'startViewTransition', 'prerendering')
  forget(ElementInternals.prototype, 'states')
  forget(AbortSignal, 'any', 'timeout')
  forget(AbortSignal.prototype, 'throwIfAborted')
  forget(Array, 'fromAsync')
  forget(Array.prototype, 'findLast', 'findLastIndex', 'toSorted', 'toReversed', 'toSpliced', 'with')
  forget(Object, 'groupBy')
  forget(Map, 'groupBy')
  forget(Promise, 'withResolvers', 'try')
  forget(URL, 'canParse', 'parse')
  forget(URLSearchParams.prototype, 'size')
  forget(String.prototype, 'isWellFormed', 'toWellFormed')
  forget(Set.prototype, 'union', 'intersection', 'difference', 'isSubsetOf')
  forget((globalThis as { Iterator?: { prototype: object } }).Iterator?.prototype, 'map', 'filter', 'toArray')
  forget(
    (globalThis as { scheduler?: { constructor: { prototype: object } } }).scheduler?.constructor.prototype,
    'yield',
  )
  forget(CSS, 'highlights', 'registerProperty')
}
