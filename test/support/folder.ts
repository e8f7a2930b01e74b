import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a folder that is removed at the end of the test. Pass `afterAll` to remove it at the end of the file. */
export function newFolder(atEnd: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-checkout-'))
  atEnd(() => rmSync(folder, { recursive: true, maxRetries: 10 }))
  return folder
}
