/**
 * Downloads the second file: everything that the element needs after the first press (`../checkout/flow.ts`).
 *
 * A browser may remember that an address could not be downloaded. Therefore, the file is requested a second time under
 * another address, which the build adds to the second of the two imports below.
 */

import type * as SecondFile from '../checkout/flow.ts'
import type { Environment } from './environment.ts'

/** Downloads from the first address; after a failure, from the second. */
let importFlow = () => import('../checkout/flow.ts')

/** The second file; `null` before it has arrived. */
export let secondFile: typeof SecondFile | null = null

let download: Promise<typeof SecondFile> | null = null

/**
 * Downloads the second file; after a failure, once more. From the first failure on, the second address is used. Rejects
 * if both downloads fail.
 */
export function loadFlow(): Promise<typeof SecondFile> {
  return request().catch(request)
}

/**
 * The first idle moment, once for all elements of the page: asking for it takes a fifth of an element's script time.
 */
let firstIdle: Promise<void> | undefined

/**
 * Downloads the second file when the browser is idle, unless it is on its way, and resolves when the browser is idle
 * again. Rejects if the download fails.
 */
export function loadFlowWhenIdle(environment: Environment): Promise<void> {
  return (download ?? (firstIdle ??= whenIdle(environment)).then(request)).then(() => whenIdle(environment))
}

function whenIdle({ window, clock }: Environment): Promise<void> {
  return new Promise((resolve) => {
    if (window.requestIdleCallback) {
      window.requestIdleCallback(() => resolve())
    }
    // This browser does not tell of idle moments. After a millisecond, what was due already has run.
    else {
      clock.after(1, resolve)
    }
  })
}

function request(): Promise<typeof SecondFile> {
  return (download ??= importFlow().then(
    (loaded) => (secondFile = loaded),
    (error: unknown) => {
      importFlow = () => import('../checkout/flow.ts')
      download = null
      throw error
    },
  ))
}
