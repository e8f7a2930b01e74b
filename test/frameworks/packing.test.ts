/** The packages as npm would carry them, judged by what others judge packages by. Packs what `npm run build` left. */

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const PACKAGES = ['gateway-checkout', 'gateway-checkout-server']
const TIMEOUT_MS = 60_000

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packed-'))
}, TIMEOUT_MS)

afterAll(() => rm(folder, { recursive: true, force: true }))

test.concurrent.each(PACKAGES)(
  'publint and attw find nothing wrong with %s',
  async (name) => {
    const packed = await run('npm', ['pack', '--workspace', name, '--pack-destination', folder])
    expect(packed.status).toBe(0)
    const tarball = join(folder, packed.output.trim().split('\n').at(-1) ?? '')
    const verdicts = await Promise.all([
      run('node_modules/.bin/publint', [tarball, '--strict']),
      run('node_modules/.bin/attw', [tarball, '--profile', 'esm-only']),
    ])
    expect(verdicts.filter(({ status }) => status !== 0)).toEqual([])
  },
  TIMEOUT_MS,
)

function run(command: string, parameters: string[]): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(command, parameters, (_, output) =>
      resolve({ status: child.exitCode ?? 1, output }),
    )
  })
}
