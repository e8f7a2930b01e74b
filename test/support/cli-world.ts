import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Env } from './command-line.ts'
import { openStore } from '../../server/store/open.ts'
import { MERCHANT, start } from './command-line.ts'

export async function createCliWorld() {
  const sandbox = await start(['sandbox', '--port', '0'], {}, /listens on (http:\/\/127\.0\.0\.1:\d+)/)
  const gateway = sandbox.match[1] ?? ''
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

    async control(path: string, body: object): Promise<void> {
      const answer = await fetch(`${gateway}/_sandbox${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    },

    async close(): Promise<void> {
      await sandbox.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
