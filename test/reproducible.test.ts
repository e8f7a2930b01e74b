/** The files for pages have hashes that anybody can check: whoever builds them from these sources gets these bytes. */

import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createBuilder } from 'vite'
import { afterAll, expect, test } from 'vitest'

const FOLDERS = ['node_modules/.cache/built/once', 'node_modules/.cache/built/again'] as const
const BUILDS = ['widget', 'cdn', 'classic', 'all']

afterAll(() => rmSync('node_modules/.cache/built', { recursive: true, force: true }))

test('the widget built twice is the same to the byte, its names and maps included', async () => {
  const [once, again] = [await built(FOLDERS[0]), await built(FOLDERS[1])]
  expect([...once.keys()]).toEqual(expect.arrayContaining(['gateway-checkout.js', 'gateway-checkout.js.map']))
  expect([...again.keys()]).toEqual([...once.keys()])
  expect([...again].filter(([name, content]) => content !== once.get(name)).map(([name]) => name)).toEqual([])
}, 120_000)

/** Builds into a folder, and reads what is then there, by name. */
async function built(outDir: string): Promise<Map<string, string>> {
  const environments = Object.fromEntries(BUILDS.map((name) => [name, { build: { outDir } }]))
  const builder = await createBuilder({ logLevel: 'error', environments })
  for (const name of BUILDS) await builder.build(builder.environments[name]!)
  const names = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).toSorted()
  const files = names.filter((name) => statSync(`${outDir}/${name}`).isFile())
  return new Map(files.map((name) => [name, readFileSync(`${outDir}/${name}`, 'utf8')]))
}
