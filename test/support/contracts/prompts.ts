import { describe, expect, test } from 'vitest'

import { PromptLimitError } from '../../../server/rate-limits/prompts.ts'
import { DAY, MINUTE } from '../../../server/transactions/schedule.ts'
import { createStores, ELSEWHERE, newRow, NOW } from './stored-rows.ts'

import type { Store } from '../../../server/store/store.ts'
import type { NewTransaction } from '../../../server/store/transactions.ts'
import type { Database } from './stored-rows.ts'

/** Returns the row of a checkout that asks a phone. Phone, order and network are those of no other row by default. */
export const prompted = (id: string, given: Partial<NewTransaction['prompt']> = {}, fields = {}) =>
  newRow(id, { prompt: { phone: `phone ${id}`, network: `network ${id}`, ...given }, ...fields })

/** Stores the rows at once. Resolves with the number of those that are stored. */
export async function countStored(rows: readonly NewTransaction[], stores: readonly Store[]) {
  const results = rows.map((row, index) => stores[index % stores.length]!.insert(row))
  const settled = await Promise.allSettled(results)
  for (const result of settled) {
    if (result.status === 'rejected') {
      expect(result.reason).toBeInstanceOf(PromptLimitError)
    }
  }

  return settled.filter((result) => result.status === 'fulfilled' && result.value).length
}

export const many = (count: number, row: (index: number) => NewTransaction) =>
  Array.from({ length: count }, (_, index) => row(index))

export function promptContract(engine: string, makeDatabase: () => Promise<Database>): void {
  const { made, opened, reopened } = createStores(makeDatabase)

  describe(`${engine}: prompts`, () => {
    test.each<[string, number, (index: number) => NewTransaction]>([
      ['of one phone are 3 at once', 3, (index) => prompted(`${index}`, { phone: 'one' })],
      [
        'of one order are 2',
        2,
        (index) => prompted(`${index}`, {}, { group: index % 2 ? 'one' : 'ONE', attempt: index }),
      ],
      ['of one network ask 30 phones', 30, (index) => prompted(`${index}`, { network: 'one' })],
    ])('prompts %s, however many are stored at once', async (_, most, row) => {
      const database = await made()
      const store = await database.open()
      expect(await countStored(many(most + 8, row), [store])).toBe(most)
      await store.close()
      const after = await reopened(database)
      await expect(after.insert(row(most + 8))).rejects.toThrow(PromptLimitError)
      expect(await after.find(`${most + 8}`)).toBeNull()
      expect(await after.insert(prompted('other'))).toBe(true)
    })

    test('prompts of one phone are 10 in a day', async () => {
      const store = await opened()
      const row = (index: number) =>
        prompted(`${index}`, { phone: 'one' }, { created_at: NOW + index * 10 * MINUTE })
      for (const each of many(10, row)) {
        expect(await store.insert(each)).toBe(true)
      }

      await expect(store.insert(row(143))).rejects.toThrow(PromptLimitError)
      expect(await store.insert(row(144))).toBe(true)
    })

    test('prompts of 500 phones are all that a server asks in ten minutes', async () => {
      const store = await opened()
      expect(await store.insert(...many(500, (index) => prompted(`${index}`)))).toBe(true)
      const late = { created_at: NOW + 10 * MINUTE - 1 }
      await expect(store.insert(prompted('new', {}, late))).rejects.toThrow(PromptLimitError)
      expect(await store.insert(prompted('known', { phone: 'phone 1' }, late))).toBe(true)
      expect(await store.insert(newRow('page', late))).toBe(true)
      expect(await store.insert(prompted('later', {}, { created_at: NOW + 10 * MINUTE }))).toBe(true)
    })

    test('prompts of unknown networks, and of another account, do not count together', async () => {
      const store = await opened()
      expect(
        await countStored(
          many(40, (each) => prompted(`${each}`, { network: null })),
          [store],
        ),
      ).toBe(40)
      const rows = [{}, ...ELSEWHERE.map((account) => ({ account }))].flatMap((fields, place) =>
        many(3, (index) => prompted(`${place} ${index}`, { phone: 'one' }, fields)),
      )
      expect(await countStored(rows, [store])).toBe(rows.length)
    })

    test('prompts count until their time has passed, and not at all when the clock is set back by a day', async () => {
      const store = await opened(...many(3, (index) => prompted(`${index}`, { phone: 'one' })))
      const at = (created_at: number) => prompted(`at ${created_at}`, { phone: 'one' }, { created_at })
      await expect(store.insert(at(NOW + 10 * MINUTE - 1))).rejects.toThrow(PromptLimitError)
      expect(await store.insert(at(NOW + 10 * MINUTE))).toBe(true)
      expect(
        await countStored(
          many(3, (index) => at(NOW - DAY - index)),
          [store],
        ),
      ).toBe(3)
    })

    test('prompts whose reference is taken do not count', async () => {
      const store = await opened(newRow('a'))
      for (let index = 0; index < 5; index++) {
        expect(await store.insert(prompted('a', { phone: 'one' }))).toBe(false)
      }

      expect(
        await countStored(
          many(4, (index) => prompted(`${index}`, { phone: 'one' })),
          [store],
        ),
      ).toBe(3)
    })
  })
}
