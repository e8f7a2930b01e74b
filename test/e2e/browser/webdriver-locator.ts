/** Finds nodes and acts on them over W3C WebDriver, as the browser API of the end-to-end tests says. */

import { vi } from 'vitest'

import { ELEMENT, WebDriverError } from '../../support/browsers/webkit/session.ts'

import type { Session } from '../../support/browsers/webkit/session.ts'
import type { Locator, Role } from './browser-api.ts'

const PATIENCE = { timeout: 20_000, interval: 50 }

const BORN_AS: Record<Role, string> = { button: 'button', link: 'a[href]', textbox: 'input, textarea' }

type Find = (session: Session) => Promise<string[]>

export function locate(switchToPage: () => Promise<Session>, find: Find): Locator {
  const act = <T>(what: (session: Session, path: string) => Promise<T>): Promise<T> =>
    vi.waitFor(async () => {
      const session = await switchToPage()
      const [element, ...others] = await find(session)
      if (element === undefined) {
        throw new Error('There is no such element.')
      }
      if (others.length > 0) {
        throw new Error(`There are ${others.length + 1} such elements.`)
      }
      return what(session, `/element/${element}`)
    }, PATIENCE)
  return {
    locator: (selector) => locate(switchToPage, visible(selector, find)),
    getByRole: (role, { name } = { name: /^/ }) =>
      locate(switchToPage, async (session) => {
        const called: string[] = []
        for (const element of await visible(BORN_AS[role], find)(session)) {
          if (name.test(await session.get<string>(`/element/${element}/computedlabel`))) {
            called.push(element)
          }
        }

        return called
      }),
    first: () => locate(switchToPage, async (session) => (await find(session)).slice(0, 1)),
    click: () => act((session, element) => session.post<void>(`${element}/click`).catch(unlessClosed)),
    fill: (text) =>
      act(async (session, element) => {
        await session.post(`${element}/clear`)
        await session.post<void>(`${element}/value`, { text })
      }),
  }
}

export const wholePage: Find = async (session) =>
  references(await session.run('return [document.documentElement]'))

function unlessClosed(error: unknown): void {
  if (!(error instanceof WebDriverError) || error.code !== 'no such window') {
    throw error
  }
}

function visible(selector: string, within: Find): Find {
  return async (session) => {
    const scopes = (await within(session)).map((id) => ({ [ELEMENT]: id }))
    return references(
      await session.run(`return (${String(everyVisible)})(...arguments)`, selector, ...scopes),
    )
  }
}

function references(found: Record<string, string>[]): string[] {
  return found.map((element) => element[ELEMENT] ?? '')
}

// Runs in the page.
function everyVisible(selector: string, ...scopes: Element[]): Element[] {
  const within = (node: ParentNode): Element[] => [...node.querySelectorAll('*')].flatMap(self)
  const self = (element: Element): Element[] => [
    ...(element.matches(selector) && element.checkVisibility() ? [element] : []),
    ...(element.shadowRoot ? within(element.shadowRoot) : []),
  ]
  return scopes.flatMap((scope) => [...(scope.shadowRoot ? within(scope.shadowRoot) : []), ...within(scope)])
}
