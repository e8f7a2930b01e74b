/** The files for pages have hashes that anybody can check: whoever builds them from these sources gets these bytes. */

import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createBuilder } from 'vite'
import { afterAll, expect, test } from 'vitest'

const AGAIN = 'node_modules/.cache/built-again'
const BUILDS = ['widget', 'cdn', 'classic', 'all']

afterAll(() => rmSync(AGAIN, { recursive: true, force: true }))

test('the widget built again is the same to the byte, its names included', async () => {
  const environments = Object.fromEntries(BUILDS.map((name) => [name, { build: { outDir: AGAIN } }]))
  const builder = await createBuilder({ logLevel: 'error', environments })
  for (const name of BUILDS) await builder.build(builder.environments[name]!)
  const again = scripts(AGAIN)
  const before = scripts('widget/dist')
  expect([...again.keys()]).toEqual([...before.keys()])
  expect([...again].filter(([name, content]) => content !== before.get(name)).map(([name]) => name)).toEqual(
    [],
  )
}, 120_000)

/** Every script in a folder by its name, without those whose name carries a version: they are copies. */
function scripts(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const built = names.filter((name) => name.endsWith('.js') && !name.includes('@')).toSorted()
  return new Map(built.map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]))
}
