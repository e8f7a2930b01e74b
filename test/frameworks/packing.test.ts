import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { linkModules, packAll } from '../create/packed.ts'
import { newFolder } from '../support/folder.ts'
import { endOf } from '../support/worlds/command-line.ts'

interface Manifest {
  version: string
  repository: { type: string; url: string; directory: string }
  keywords: string[]
  bin: Record<string, string>
  unpkg: string
  jsdelivr: string
  customElements: string
}

const LIBRARIES = ['widget', 'server']
const FOLDERS = [...LIBRARIES, 'demo/create']
const run = (command: string, parameters: string[]) => endOf(spawn(command, parameters))
// Below `node_modules`, an unpacked package finds its dependencies.
const folder = 'node_modules/.cache/unpacked'
const TIMEOUT_MS = 60_000

const { create, libraries } = packAll()
const tarballs = new Map([...libraries, create].map((path, index) => [FOLDERS[index], path]))

beforeAll(async () => {
  for (const [name, tarball] of tarballs) {
    mkdirSync(`${folder}/${name}`, { recursive: true })
    await run('tar', ['-xzf', tarball, '-C', `${folder}/${name}`, '--strip-components=1'])
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe.each(FOLDERS)('the package of %s', (name) => {
  test.runIf(process.env.FULL)(
    'the package has no fault that publint or attw finds',
    async () => {
      const tarball = tarballs.get(name)!
      const verdicts = await Promise.all([
        run('node_modules/.bin/publint', [tarball, '--strict']),
        // A command exports nothing, so it has no types.
        ...(LIBRARIES.includes(name)
          ? [run('node_modules/.bin/attw', [tarball, '--profile', 'esm-only'])]
          : []),
      ])
      expect(verdicts.filter(({ code }) => code !== 0)).toEqual([])
    },
    TIMEOUT_MS,
  )

  test('the package carries the licence of the repository', () => {
    expect(packed(name, 'LICENSE')).toBe(readFileSync('LICENSE', 'utf8'))
    expect(packed(name, 'LICENSE')).toMatch(/^MIT License\n/)
  })

  test.runIf(LIBRARIES.includes(name))(
    'the package carries a changelog whose first entry is its version',
    () => {
      const versions = packed(name, 'CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+)/gm)
      expect([...versions][0]?.[1]).toBe(manifest(name).version)
    },
  )

  test('the package says where its sources are, and what to find it by', () => {
    const { repository, keywords } = manifest(name)
    expect(repository).toEqual({ ...manifest('widget').repository, directory: name })
    expect(repository.url).toMatch(/^git\+https:\/\/.+\.git$/)
    expect(keywords).toContain('mobile-money')
  })

  test('the package has no link that leads nowhere once it is installed', () => {
    const documents = readdirSync(`${folder}/${name}`, { recursive: true, encoding: 'utf8' })
    const broken = documents.filter((path) => path.endsWith('.md')).flatMap((path) => brokenLinks(name, path))
    expect(broken).toEqual([])
  })
})

test('a CDN serves the file for pages by default, and editors find the manifest of the element', () => {
  const { unpkg, jsdelivr, customElements } = manifest('widget')
  expect({ unpkg, jsdelivr }).toEqual({
    unpkg: './dist/gateway-checkout.js',
    jsdelivr: './dist/gateway-checkout.js',
  })
  expect(packed('widget', unpkg)).toBe(readFileSync('widget/dist/gateway-checkout.js', 'utf8'))
  expect(JSON.parse(packed('widget', customElements))).toHaveProperty('modules')
})

test('the command of the unpacked server prints its version', async () => {
  const { version, bin } = manifest('server')
  const command = `${folder}/server/${bin['gateway-checkout-server']}`
  expect(await run(process.execPath, [command, '--version'])).toMatchObject({ code: 0, out: `${version}\n` })
})

test('on a server the packages load without a DOM, and the tag is written with its attributes', async () => {
  const tag = (required: string) =>
    `<gateway-checkout order="A-1" payer-name="Asha Mwangi" ${required}>Pay at the counter.</gateway-checkout>`
  const { out } = await run(process.execPath, ['test/frameworks/server-side.mjs'])
  expect(JSON.parse(out)).toEqual({
    hasDom: false,
    react: tag('required=""'),
    component: tag('required=""'),
    vue: tag('required'),
  })
})

test('the entry for tests needs neither Playwright nor Vitest', async () => {
  const project = newFolder()
  linkModules(project, ['@playwright', 'playwright', 'vitest'])
  const script = `const { startSandbox, startServer } = await import('gateway-checkout-server/testing')
    const server = await startServer(await startSandbox())
    console.log((await fetch(server.url + '/pay/A-1')).status)
    await import('gateway-checkout-server/testing/playwright').catch(({ code }) => console.log(code))
    process.exit()`
  writeFileSync(join(project, 'start.mjs'), script)
  const { out } = await run(process.execPath, [join(project, 'start.mjs')])
  expect(out).toBe('200\nERR_MODULE_NOT_FOUND\n')
})

function packed(name: string, path: string): string {
  return readFileSync(`${folder}/${name}/${path}`, 'utf8')
}

function manifest(name: string): Manifest {
  return JSON.parse(packed(name, 'package.json'))
}

/** Returns the links of a packed document to files that neither the package nor, by its address, the repository has. */
function brokenLinks(name: string, document: string): string[] {
  const { repository } = manifest(name)
  const files = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`
  const links = [...packed(name, document).matchAll(/\]\(([^)\s#]+)/g)].map(([, link = '']) => link)
  return links
    .filter((link) => {
      if (link.startsWith(files)) {
        return !existsSync(link.slice(files.length))
      }
      return !/^[a-z]+:/.test(link) && !existsSync(join(folder, name, dirname(document), link))
    })
    .map((link) => `${document}: ${link}`)
}
