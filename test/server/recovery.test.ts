import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { RestorableShop } from '../support/recovery-contract.ts'
import { openStore } from '../../server/store/open.ts'
import { backUp, recover } from '../../server/store/sqlite/recover.ts'
import { recoveryContract } from '../support/recovery-contract.ts'
import { createWorld } from '../support/world.ts'

async function openShop(): Promise<RestorableShop> {
  const folder = mkdtempSync(join(tmpdir(), 'recovery-'))
  const file = join(folder, 'store.sqlite')
  const storeUrl = `sqlite:${file}`
  const copy = join(folder, 'copy.sqlite')
  let store = openStore(storeUrl)
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const shop = await createWorld({ store, seed: 5 })
  return {
    ...shop,
    storeUrl,
    backUp: async () => backUp(file, copy, shop.timeline.now()),
    async restore() {
      await store.close()
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
      renameSync(copy, file)
    },
    reopen: () => (store = openStore(storeUrl)),
  }
}

recoveryContract('SQLite', openShop)

test('a restored file beside the WAL of another is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recovery-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [file, copy] = ['store.sqlite', 'copy.sqlite'].map((name) => join(folder, name))
  await openStore(`sqlite:${file}`).close()
  backUp(file!, copy!, 0)
  renameSync(copy!, file!)
  writeFileSync(`${file}-wal`, 'commits of another file')
  expect(() => recover(file!, 0)).toThrow(`${file}-wal belongs to a file that was here before.`)
})
