import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const HERE = import.meta.dirname
/** For each attack of `server/THREATS.md`, the test files and folders that try it, relative to `test/security/`. */
const TRIED_IN = [
  ...readFileSync('server/THREATS.md', 'utf8').matchAll(/^\| .* \| .* \| ((?:`[^`]+`(?:, )?)+) \|$/gm),
].map(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))

test('each attack of the threat model is tried by tests that exist', () => {
  expect(TRIED_IN.length).toBeGreaterThan(15)
  const missing = TRIED_IN.flat().filter(
    (name) => !existsSync(join(HERE, name)) && !existsSync(join(HERE, `${name}.test.ts`)),
  )
  expect(missing).toEqual([])
})

test('each file of attacks belongs to a row of the threat model', () => {
  const files = readdirSync(HERE).filter((file) => file.endsWith('.test.ts') && file !== 'threats.test.ts')
  expect(
    files.filter((file) => !TRIED_IN.flat().includes(file.replace(/(\.browser)?\.test\.ts$/, ''))),
  ).toEqual([])
})
