import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readConfig } from '../../server/config.ts'
import type { Packed } from '../create/packed.ts'
import { packAll } from '../create/packed.ts'
import { payOnPhone } from '../create/shopper.ts'
import { openChromium } from '../e2e/browser/open.ts'
import { linkModules } from '../supply/packed-server.ts'
import { describedApp } from '../support/described.ts'
import { installLanguages } from '../examples/languages.ts'
import { blocksOf, follow, writeFiles } from './follow.ts'

const TIMEOUT_MS = 600_000
const isFull = Boolean(process.env.FULL)
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS })

const folder = mkdtempSync(join(tmpdir(), 'guides-'))
let packed: Packed
beforeAll(() => {
  installLanguages()
  packed = packAll(join(folder, 'tarballs'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test.concurrent.each(['node', 'php', 'python', 'testing', 'going-live', 'migrating', 'marketplace'])(
  'what the guide %s says happens when it is followed',
  async (name) => {
    await follow(`server/guides/${name}.md`, packed, mkdtempSync(join(folder, `${name}-`)))
  },
)

test.concurrent('what llms.txt says happens when it is followed, and the server serves it', async () => {
  await follow('server/llms.txt', packed, mkdtempSync(join(folder, 'llms-')))
  const response = await describedApp.request('/llms.txt')
  expect(await response.text()).toBe(readFileSync('server/llms.txt', 'utf8'))
  expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8')
})

test.concurrent('what the README says first happens when it is followed', async () => {
  const chapter = 'Start: two minutes'
  await follow('README.md', packed, mkdtempSync(join(folder, 'readme-')), { chapter })
})

test.runIf(isFull)('what the guide next says happens, with what npm installs for it', async () => {
  const browser = await openChromium()
  const pay = (_: unknown, address: string) => payOnPhone(browser, address)
  try {
    const own = mkdtempSync(join(folder, 'next-'))
    await follow('server/guides/next.md', packed, own, { pay, installs: true })
  } finally {
    await browser.close()
  }
})

/** What the guide takes from Next, which is not installed here. */
const NEXT_TYPES = `declare module 'next' { export interface NextConfig { [name: string]: unknown } }
declare module 'next/navigation' { export function redirect(url: string): never; export function notFound(): never }
`

test('the files of the guide next have no type error', () => {
  const project = mkdtempSync(join(folder, 'next-types-'))
  linkModules(project, packed.libraries)
  const files = writeFiles('server/guides/next.md', project)
  expect(files).toHaveLength(8)
  writeFileSync(join(project, 'next.d.ts'), NEXT_TYPES)
  const options =
    '--noEmit --strict --skipLibCheck --jsx react-jsx --module esnext --moduleResolution bundler'
  const { stdout } = spawnSync(
    resolve('node_modules/.bin/tsc'),
    [...options.split(' '), '--types', 'node', 'next.d.ts', ...files],
    { cwd: project, encoding: 'utf8' },
  )
  expect(stdout).toBe('')
})

test('the variables of Going live make a configuration of production', () => {
  const [block] = blocksOf('server/guides/going-live.md').filter(({ language }) => language === 'ini')
  const env = Object.entries(parseEnv(block!.text)).map(([name, value = '']) => [
    name.replace(/_FILE$/, ''),
    name.endsWith('_FILE') ? `whsec_${createHash('sha256').update(value).digest('base64')}` : value,
  ])
  const { environment, publicUrl, orders, webhook } = readConfig(Object.fromEntries(env))
  expect({ environment, publicUrl }).toEqual({
    environment: 'production',
    publicUrl: 'https://pay.shop.example',
  })
  expect([orders, webhook]).toEqual([expect.anything(), expect.anything()])
})

test.each([...readdirSync('server/guides').map((name) => `server/guides/${name}`), 'README.md'])(
  'every link of %s leads to a file and a heading',
  (name) => {
    const text = readFileSync(name, 'utf8')
    for (const [, path = '', heading] of text.matchAll(/\]\((?!http)([^)#]*)(?:#([^)]*))?\)/g)) {
      const target = readFileSync(join(dirname(name), path), 'utf8')
      const headings = [...target.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      )
      if (heading !== undefined) expect(headings).toContain(heading)
    }
  },
)
