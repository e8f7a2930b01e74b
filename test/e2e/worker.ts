/**
 * What is costly to start is started once for all files of a worker, which run one after another. Each test has contexts
 * and orders of its own.
 */

import { inject, test as base } from 'vitest'

import { openBrowser, openChromium } from './browser/open.ts'
import { closeAll } from './demo.ts'
import { openDemoWithPages } from './pages.ts'

import type { Browser } from './browser/browser-api.ts'
import type { Closable } from './demo.ts'

const opened: Promise<Closable>[] = []

function once<T extends Closable>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined
  return () => {
    if (opening === undefined) {
      opening = open()
      opened.push(opening)
    }
    return opening
  }
}

const engine = inject('engine')
const otherBrowser = once(() => openBrowser(engine))

/** The demo, with the pages of other shops. */
export const theDemo = once(openDemoWithPages)
export const theChromium = once(openChromium)
export const theBrowser = (): Promise<Browser> => (engine === 'chromium' ? theChromium() : otherBrowser())

/** The `test` of all files here: with the last of them, what the worker has started ends. */
export const test = base.extend<{ $worker: { closesAll: void } }>({
  closesAll: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads in the pattern what a fixture needs.
    async ({}, use) => {
      await use()
      await closeAll(opened)
    },
    { scope: 'worker', auto: true },
  ],
})
