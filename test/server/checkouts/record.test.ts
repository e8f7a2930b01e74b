import { describe, expect, test } from 'vitest'

import { ABANDONED, checkoutRules, INTENDED, KEPT, OPEN } from '../../support/worlds/open-checkout.ts'

import type { CheckoutRecord, Visit } from '../../../server/checkouts/record.ts'

const { observe, expectUnchanged } = checkoutRules
const { visit } = OPEN
const refused: CheckoutRecord = { phase: 'refused', ...KEPT, why: 'No.', refusal: null }

describe('another start', () => {
  const cart = 'https://shop.example/cart'
  const account = 'https://shop.example/account'
  const thanks = 'https://shop.example/thanks'
  const many = (count: number) => Array.from({ length: count }, (_, index) => `page-${index}`)

  test('another start is added to the visit in every phase of a checkout', () => {
    const again = { ...visit, return_url: thanks }
    for (const before of [INTENDED, OPEN, refused, ABANDONED]) {
      expect(observe(before, { kind: 'visit', visit: again })).toEqual({
        record: { ...before, visit: again },
        events: [],
        historyEntry: null,
      })
    }

    expectUnchanged(OPEN, { kind: 'visit', visit })
  })

  test.each<[string, Partial<Visit>, Partial<Visit>, Partial<Visit>]>([
    ['from the same page', { return_url: cart }, { return_url: cart }, { return_url: cart }],
    ['from another page', { return_url: cart }, { return_url: account }, { links: [cart, account] }],
    [
      'from one of several pages',
      { links: [cart, account] },
      { return_url: cart },
      { links: [cart, account] },
    ],
    ['after too many links', { links: many(5) }, { return_url: cart }, { links: many(5) }],
    ['after a single link', { links: [cart] }, {}, { links: [cart] }],
    ['in a pop-up', { return_url: cart }, { return_url: cart, launch: 'popup' }, { links: [cart] }],
    ['in a second pop-up', { launch: 'popup' }, { launch: 'popup' }, { launch: 'popup' }],
    [
      'of an order with a page',
      { links: [cart, account] },
      { return_url: thanks, is_order_url: true },
      { return_url: thanks, is_order_url: true },
    ],
    ['with an origin', {}, { origin: 'https://a.example' }, { origin: 'https://a.example' }],
    ['of another origin', { origin: 'null' }, { origin: 'https://a.example' }, { origin: 'null' }],
    ['in the same language', { lang: 'sw' }, { lang: 'sw' }, { lang: 'sw' }],
    ['in another language', { lang: 'sw' }, { lang: 'fr' }, {}],
    [
      'under another text',
      { order_digests: ['a'] },
      { order_digests: ['b', 'a'] },
      { order_digests: ['a', 'b'] },
    ],
    [
      'under too many texts',
      { order_digests: many(5) },
      { order_digests: ['b'] },
      { order_digests: many(5) },
    ],
  ])('another start %s leads where nobody is misled', (_, stored, start, merged) => {
    const before = { ...OPEN, visit: { ...visit, ...stored } }
    const { record } = observe(before, { kind: 'visit', visit: { ...visit, ...start } })
    expect(record.visit).toEqual({ ...visit, ...merged })
  })
})
