/** The browser API (`browser-api.ts`) for WebKit, over W3C WebDriver: Playwright controls only a patched WebKit. */

import { startWebKit } from '../../support/browsers/webkit/driver.ts'
import { locate, wholePage } from './webdriver-locator.ts'

import type { Session } from '../../support/browsers/webkit/session.ts'
import type { Browser, Context, Page } from './browser-api.ts'

const WINDOW = { width: 1280, height: 800 }

export async function openWebKit(driverPath: string): Promise<Browser> {
  const webkit = await startWebKit(driverPath)
  let last: Context | null = null
  return {
    async newContext() {
      // A failed test may have left its context open.
      await last?.close()
      last = createContext(await webkit.open())
      return last
    },
    async close() {
      await last?.close()
      await webkit.close()
    },
  }
}

function createContext(session: Session): Context {
  const known = new Map<string, Page>()

  const page = (handle: string) => {
    const found = known.get(handle) ?? createPage(session, handle)
    known.set(handle, found)
    return found
  }

  return {
    async newPage() {
      // A new session has an empty window.
      const handle =
        known.size === 0
          ? await session.get<string>('/window')
          : (await session.post<{ handle: string }>('/window/new', { type: 'tab' })).handle
      await session.post('/window', { handle })
      await session.post('/window/rect', WINDOW)
      return page(handle)
    },
    async pages() {
      return (await session.get<string[]>('/window/handles')).map(page)
    },
    close: () => session.close(),
  }
}

function createPage(session: Session, handle: string): Page {
  const switchToPage = async () => {
    await session.post('/window', { handle })
    return session
  }

  const page = locate(switchToPage, wholePage)
  return {
    goto: async (url) => (await switchToPage()).post('/url', { url }),
    reload: async () => (await switchToPage()).post('/refresh'),
    url: async () => (await switchToPage()).get('/url'),
    evaluate: async (expression) => (await switchToPage()).run(`return (${expression})`),
    locator: (selector) => page.locator(selector),
    getByRole: (role, options) => page.getByRole(role, options),
    close: async () => (await switchToPage()).delete('/window'),
  }
}
