import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openStore } from '../../server/store/open.ts'
import { createTerminal } from '../support/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'check-store-'))
afterAll(() => rmSync(folder, { recursive: true }))
const finding = async (storeUrl: string) => {
  const { findings } = JSON.parse((await createTerminal({ STORE_URL: storeUrl }).run('check --json')).out)
  return findings.find(({ what }: { what: string }) => what === 'store')
}

test('check writes to the store, and names where it is', async () => {
  const path = join(folder, 'store.sqlite')
  await openStore(`sqlite:${path}`).close()
  expect(await finding(`sqlite:${path}`)).toEqual({
    what: 'store',
    kind: 'fine',
    detail: `The SQLite file ${path} can be written.`,
  })
})

test('check creates no store', async () => {
  const path = join(folder, 'new.sqlite')
  expect(await finding(`sqlite:${path}`)).toMatchObject({
    kind: 'note',
    detail: expect.stringContaining(path),
  })
  expect(existsSync(path)).toBe(false)
})

test.each([
  ['a folder that does not exist', `sqlite:${join(folder, 'none/store.sqlite')}`, join(folder, 'none')],
  ['a file that is no store', `sqlite:${join(folder, 'text')}`, join(folder, 'text')],
  ['a database that does not respond', 'postgres://shop:the-password@127.0.0.1:1/shop', '127.0.0.1:1/shop'],
])('check reports %s as a problem, with its place and without a password', async (_, storeUrl, place) => {
  writeFileSync(join(folder, 'text'), 'no database '.repeat(1_000))
  const found = await finding(storeUrl)
  expect(found).toMatchObject({ kind: 'problem', detail: expect.stringContaining(place) })
  expect(found.detail).not.toContain('the-password')
  expect(found.detail).not.toMatch(/The store .*The store /)
})
