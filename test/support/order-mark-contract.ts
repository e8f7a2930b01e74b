import { describe, expect, test } from 'vitest'
import type { NewTransaction, Store } from '../../server/store.ts'
import { ELSEWHERE, HOME } from './stored-rows.ts'

export function orderMarkContract(
  engine: string,
  opened: (...rows: NewTransaction[]) => Promise<Store>,
): void {
  const mark = (issued_at: number, digest: string) => ({ issued_at, digest })

  describe(`${engine}: the mark of an order`, () => {
    test('is the newest one, and the first one of its second', async () => {
      const store = await opened()
      const stored: [given: ReturnType<typeof mark>, kept: ReturnType<typeof mark>][] = [
        [mark(5, 'a'), mark(5, 'a')],
        [mark(4, 'b'), mark(5, 'a')],
        [mark(5, 'b'), mark(5, 'a')],
        [mark(6, 'b'), mark(6, 'b')],
        [mark(5, 'a'), mark(6, 'b')],
      ]
      for (const [given, kept] of stored) expect(await store.markOrder(HOME, 'A-1', given)).toEqual(kept)
    })

    test('belongs to the order and to the merchant account', async () => {
      const store = await opened()
      await store.markOrder(HOME, 'A-1', mark(5, 'a'))
      expect(await store.markOrder(HOME, 'A-2', mark(4, 'b'))).toEqual(mark(4, 'b'))
      for (const account of ELSEWHERE)
        expect(await store.markOrder(account, 'A-1', mark(4, 'b'))).toEqual(mark(4, 'b'))
    })

    test('of several at once is the newest one', async () => {
      const store = await opened()
      const marks = Array.from({ length: 20 }, (_, index) => mark((index * 7) % 20, `${index}`))
      const kept = await Promise.all(marks.map((each) => store.markOrder(HOME, 'A-1', each)))
      for (const [index, { issued_at }] of kept.entries())
        expect(issued_at).toBeGreaterThanOrEqual(marks[index]?.issued_at ?? 0)
      expect(await store.markOrder(HOME, 'A-1', mark(0, 'x'))).toMatchObject({ issued_at: 19 })
    })
  })
}
