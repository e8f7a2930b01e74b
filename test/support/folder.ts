import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

import { SCRATCH } from './scratch.ts'

type AtEnd = (remove: () => void) => void

/** Creates a folder that is removed at the end of the test. Pass `afterAll` to remove it at the end of the file. */
export const newFolder = (atEnd: AtEnd = onTestFinished): string => createFolder(tmpdir(), atEnd)

/** Creates such a folder for stores. Programs may not be allowed to run from it. */
export const newStoreFolder = (atEnd: AtEnd = onTestFinished): string => createFolder(SCRATCH, atEnd)

function createFolder(parent: string, atEnd: AtEnd): string {
  const folder = mkdtempSync(join(parent, 'gateway-checkout-'))
  atEnd(() => rmSync(folder, { recursive: true, maxRetries: 10 }))
  return folder
}
