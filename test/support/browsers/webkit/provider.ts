/** The browser provider of Vitest for WebKit, in which the element's tests run. */

import { defineBrowserProvider, parseKeyDef } from '@vitest/browser'
import { fileURLToPath } from 'node:url'

import { startWebKit } from './driver.ts'
import { ELEMENT } from './session.ts'

import type { WebKit } from './driver.ts'
import type { Session } from './session.ts'
import type { BrowserProvider, BrowserProviderOption, TestProject } from 'vitest/node'

declare module 'vitest/browser' {
  interface BrowserCommands {
    __vitest_click(key: string): Promise<void>
    __vitest_fill(key: string, text: string): Promise<void>
    __vitest_keyboard(text: string): Promise<{ unreleased: string[] }>
  }
}

// [W3C WebDriver: Keyboard actions]
const KEYS = new Map([
  ['Backspace', '\uE003'],
  ['Tab', '\uE004'],
  ['Enter', '\uE007'],
  ['Shift', '\uE008'],
  ['Escape', '\uE00C'],
  ['ArrowLeft', '\uE012'],
  ['ArrowUp', '\uE013'],
  ['ArrowRight', '\uE014'],
  ['ArrowDown', '\uE015'],
])

export function webkit(driverPath: string): BrowserProviderOption {
  return defineBrowserProvider({
    name: 'webkit',
    options: {},
    providerFactory: (project) => createProvider(project, driverPath),
  })
}

function createProvider(project: TestProject, driverPath: string): BrowserProvider {
  let engine: WebKit | null = null
  let session: Session | null = null

  const entered = async () => {
    if (session === null) {
      throw new Error('No page is open yet.')
    }

    await enterFrame(session)
    return session
  }

  project.browser?.registerCommand('__vitest_click', async (_, key) => {
    const tester = await entered()
    await tester.post(`/element/${await find(tester, key)}/click`)
  })
  project.browser?.registerCommand('__vitest_fill', async (_, key, text) => {
    const tester = await entered()
    const element = await find(tester, key)
    await tester.post(`/element/${element}/clear`)
    await tester.post(`/element/${element}/value`, { text })
  })
  project.browser?.registerCommand('__vitest_keyboard', async (_, text) => {
    await type(await entered(), text)
    return { unreleased: [] }
  })
  return {
    name: 'webkit',
    supportsParallelism: false,
    initScripts: [fileURLToPath(new URL('./locators.ts', import.meta.url))],
    getCommandsContext: () => ({}),
    async openPage(_, url) {
      engine ??= await startWebKit(driverPath)
      session ??= await engine.open()
      await session.post('/url', { url })
    },
    async close() {
      await session?.close()
      await engine?.close()
    },
  }
}

async function enterFrame(session: Session): Promise<void> {
  await session.post('/frame', { id: null })
  const id = await session.run(`return document.querySelector('iframe[data-vitest]')`)
  await session.post('/frame', { id })
}

async function find(session: Session, key: string): Promise<string> {
  const found = await session.run<Record<string, string>>(`return window.locatedElements[arguments[0]]`, key)
  return found[ELEMENT] ?? ''
}

async function type(session: Session, text: string): Promise<void> {
  const actions = parseKeyDef(text).flatMap(({ keyDef, releasePrevious, releaseSelf, repeat }) => {
    const value = KEYS.get(keyDef.key ?? '') ?? keyDef.key
    const down = Array.from({ length: releasePrevious ? 0 : repeat }, () => ({ type: 'keyDown', value }))
    return releasePrevious || releaseSelf ? [...down, { type: 'keyUp', value }] : down
  })
  await session.post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
}
