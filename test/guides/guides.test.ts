import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, expect, test, vi } from 'vitest'
import { TEMPLATES } from '../../demo/create/templates.ts'
import { readConfig } from '../../server/config.ts'
import { en } from '../../widget/locales/en.ts'
import { describedApp } from '../support/described.ts'
import { blocksOf, FILE, follow } from './follow.ts'

const TIMEOUT_MS = 600_000
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS })

const GUIDES = readdirSync('server/guides').map((name) => `server/guides/${name}`)

const folder = mkdtempSync(join(tmpdir(), 'guides-'))
afterAll(() => rmSync(folder, { recursive: true }))

// The chapters that create a shop are not followed: the tests of `create/` start each template, and pay.
test.each(['node', 'next', 'php', 'python'] as const)(
  'what the guide %s quotes is in the template',
  (name) => {
    const quotes = blocksOf(`server/guides/${name}.md`).filter(({ text }) => FILE.test(text))
    expect(quotes.length).toBeGreaterThan(3)
    for (const { text } of quotes) {
      const [first = '', file = ''] = FILE.exec(text) ?? []
      const [path] = TEMPLATES[name].parts
        .map((part) => `demo/create/templates/${part}/${file.replace(/^\./, '')}`)
        .filter((each) => existsSync(each))
      expect(path && readFileSync(path, 'utf8'), file).toContain(text.slice(first.length))
    }
  },
)

test.concurrent.each(['testing', 'going-live', 'migrating', 'marketplace'])(
  'what the guide %s says happens when it is followed',
  async (name) => {
    await follow(`server/guides/${name}.md`, mkdtempSync(join(folder, `${name}-`)))
  },
)

test.concurrent('what llms.txt says happens when it is followed, and the server serves it', async () => {
  await follow('server/llms.txt', mkdtempSync(join(folder, 'llms-')))
  const response = await describedApp.request('/llms.txt')
  expect(await response.text()).toBe(readFileSync('server/llms.txt', 'utf8'))
  expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8')
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

test.each([...GUIDES, 'README.md'])('every link of %s leads to a file and a heading', (name) => {
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
})

const READMES = [...new Set(Object.values(TEMPLATES).flatMap(({ parts }) => parts))]
  .map((part) => `demo/create/templates/${part}/README.md`)
  .filter((path) => existsSync(path))

test.each([...GUIDES, ...READMES, 'README.md', 'server/llms.txt'])(
  '%s names each button that the shopper presses',
  (path) => {
    const texts = readFileSync(path, 'utf8').split(/\n\n/)
    for (const text of texts.filter((each) => each.includes('"Pay KES 1,500"')))
      expect(text.slice(0, text.indexOf('"Pay KES'))).toContain(`"${en.next}"`)
  },
)
