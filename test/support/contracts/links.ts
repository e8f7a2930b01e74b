import { describe, expect, test } from 'vitest'

import { PRESS_LIFETIME_MS, PRESS_LIMITS } from '../../../server/rate-limits/presses.ts'
import { createStores, ELSEWHERE, HOME, LATER, newRow, NOW } from './stored-rows.ts'

import type { NewPress } from '../../../server/store/links.ts'
import type { Database } from './stored-rows.ts'

const TERMS = { narration: 'ü \u0000 💳' }
const link = (id: string) => ({ id, terms: TERMS, created_at: NOW })
const pressOf = (order: string, fields: Partial<NewPress> = {}): NewPress => ({
  order,
  link: 'a',
  network: null,
  at: NOW,
  choice: { amount: '1' },
  personal: null,
  ...fields,
})

export function linkContract(engine: string, makeDatabase: () => Promise<Database>): void {
  const { made, opened, reopened } = createStores(makeDatabase)

  describe(`${engine}: links`, () => {
    test('links are read as they were inserted, in their order, in their account', async () => {
      const database = await made()
      const store = await reopened(database)
      const first = await store.insertLink(HOME, link('b'))
      const second = await store.insertLink(HOME, link('a'))
      expect(first).toMatchObject({ ...link('b'), closed_at: null })
      expect(await store.findLink(HOME, 'b')).toEqual(first)
      expect(await store.findLink(HOME, 'B')).toBeNull()
      expect(await store.listLinks(HOME, 0, 10)).toEqual([first, second])
      expect(await store.listLinks(HOME, first.sequence, 10)).toEqual([second])
      expect(await store.listLinks(HOME, 0, 1)).toEqual([first])
      for (const account of ELSEWHERE) {
        expect(await store.findLink(account, 'b')).toBeNull()
        expect(await store.listLinks(account, 0, 10)).toEqual([])
        expect(await store.closeLink(account, 'b', NOW)).toBeNull()
      }
    })

    test('links are closed once', async () => {
      const store = await opened()
      const stored = await store.insertLink(HOME, link('a'))
      expect(await store.closeLink(HOME, 'a', NOW)).toEqual({ ...stored, closed_at: NOW })
      expect(await store.closeLink(HOME, 'a', LATER)).toEqual({ ...stored, closed_at: NOW })
      expect(await store.findLink(HOME, 'a')).toEqual({ ...stored, closed_at: NOW })
      expect(await store.closeLink(HOME, 'b', NOW)).toBeNull()
    })
  })

  describe(`${engine}: presses`, () => {
    test('presses of one order are one, which keeps what was chosen first, also at once and in another case', async () => {
      const store = await opened()
      const chosen = ['1', '2', '3'].map((amount) => pressOf('Link-1', { choice: { amount } }))
      expect(await Promise.all(chosen.map((each) => store.press(HOME, each)))).toEqual([true, true, true])
      const first = await store.findPress(HOME, 'LINK-1')
      expect(first).toMatchObject({ order: 'link-1', link: 'a' })
      expect(await store.press(HOME, pressOf('LINK-1', { choice: { amount: '4' } }))).toBe(true)
      expect(await store.findPress(HOME, 'link-1')).toEqual(first)
      expect(await store.findPress('production', 'link-1')).toBeNull()
    })

    test('presses of one network and link are limited, and those that are stored are not refused', async () => {
      const store = await opened()
      const { most, windowMs } = PRESS_LIMITS[0]
      const one = { network: 'one' }
      for (let index = 0; index < most - 4; index++) {
        expect(await store.press(HOME, pressOf(`${index}`, one))).toBe(true)
      }

      const last = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) =>
        store.press(HOME, pressOf(name, one)),
      )
      expect((await Promise.all(last)).filter(Boolean)).toHaveLength(4)
      expect(await store.press(HOME, pressOf('0', one))).toBe(true)
      expect(await store.press(HOME, pressOf('other', { network: 'two' }))).toBe(true)
      expect(await store.press(HOME, pressOf('unknown'))).toBe(true)
      expect(await store.press(HOME, pressOf('another', { ...one, link: 'b' }))).toBe(true)
      expect(await store.press('production', pressOf('elsewhere', one))).toBe(true)
      expect(await store.press(HOME, pressOf('late', { ...one, at: NOW + windowMs - 1 }))).toBe(false)
      expect(await store.press(HOME, pressOf('late', { ...one, at: NOW + windowMs }))).toBe(true)
    })

    test('presses are deleted after a day, in the account alone', async () => {
      const store = await opened()
      await store.press(HOME, pressOf('old'))
      await store.press(HOME, pressOf('young', { at: NOW + 1 }))
      await store.press('production', pressOf('old'))
      await store.forgetPresses(HOME, NOW + PRESS_LIFETIME_MS)
      expect(await store.findPress(HOME, 'old')).toBeNull()
      expect(await store.findPress(HOME, 'young')).not.toBeNull()
      expect(await store.findPress('production', 'old')).not.toBeNull()
    })

    test('presses keep what was chosen, and nothing of the person, when their checkout is erased', async () => {
      const group = 'Link-1'
      const erased = { record: {}, personal: null }
      const store = await opened(newRow('a', { group }), newRow('b', { group, account: 'production' }))
      const pressed = { network: 'one', personal: 'sealed' }
      for (const [account, order] of [
        [HOME, 'link-1'],
        [HOME, 'link-2'],
        ['production', 'link-1'],
      ] as const) {
        await store.press(account, pressOf(order, pressed))
      }

      expect(await store.erase('a', 1, erased, null, [])).toBe('erased')
      expect(await store.press(HOME, pressOf('link-1', { ...pressed, choice: { amount: '2' } }))).toBe(true)
      expect(await store.findPress(HOME, 'link-1')).toMatchObject({ choice: { amount: '1' }, personal: null })
      expect(await store.findPress(HOME, 'link-2')).toMatchObject({ personal: 'sealed' })
      expect(await store.findPress('production', 'link-1')).toMatchObject({ personal: 'sealed' })
    })

    test('presses are deleted by the first press after a day, also when the clock is set back', async () => {
      const store = await opened()
      await store.press(HOME, pressOf('old'))
      await store.press(HOME, pressOf('young', { at: NOW + 1 }))
      await store.press(HOME, pressOf('new', { at: NOW + PRESS_LIFETIME_MS }))
      expect(await store.findPress(HOME, 'old')).toBeNull()
      expect(await store.findPress(HOME, 'young')).not.toBeNull()
      await store.press(HOME, pressOf('before', { at: NOW }))
      expect(await store.findPress(HOME, 'new')).toBeNull()
    })
  })
}
