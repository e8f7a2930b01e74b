import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startSandbox } from '../../../demo/sandbox/index.ts'
import { openStore } from '../../../server/store/open.ts'
import { MERCHANT } from './command-line.ts'
import { control } from './sandbox-line.ts'

import type { Env } from './command-line.ts'

/** A sandbox on a port of this machine, and stores for the commands that use it. */
export async function createCliWorld() {
  const sandbox = await startSandbox()
  const { url: gateway } = sandbox
  const folder = mkdtempSync(join(tmpdir(), 'cli-'))
  let count = 0

  return {
    gateway,
    folder,

    fresh(more: Env = {}): Env {
      count += 1
      const STORE_URL = `sqlite:${join(folder, `${count}.sqlite`)}`
      // Only a server creates a store.
      void openStore(STORE_URL).close()
      return { ...MERCHANT, GATEWAY_BASE_URL: gateway, PUBLIC_URL: 'http://127.0.0.1:9', STORE_URL, ...more }
    },

    file(content: unknown): string {
      count += 1
      const path = join(folder, `${count}.json`)
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
      return path
    },

    control: (path: string, body: object) => control(gateway, path, body),

    async close(): Promise<void> {
      await sandbox.close()
      rmSync(folder, { recursive: true })
    },
  }
}
