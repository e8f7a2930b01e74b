import { describe, expect, test } from 'vitest'

import { confirmationAfter } from '../../../server/payins/confirmation-after-report.ts'
import { isRefundDue, whyUnserved } from '../../../server/payins/fulfilment.ts'
import { heldIn, paymentOf } from '../../../server/payins/held-payments.ts'
import { SERVED } from '../../../server/payins/service-confirmation.ts'
import { continued } from '../../../server/payins/succession.ts'
import {
  about,
  accepted,
  CONFIRMED,
  DECIDED,
  decision,
  failed,
  FAILED,
  listing,
  observe,
  of,
  OPEN,
  REFUSED,
  reported,
} from '../../support/worlds/confirmations.ts'
import { SENT as AT } from '../../support/worlds/observed.ts'

import type { ReportedState } from '../../../server/payins/reported-state.ts'
import type { PaymentConfirmation } from '../../../server/transactions/kind.ts'
import type { Resolution } from '../../../server/transactions/resolution.ts'

/** Returns the confirmations of the payments after a report. */
const after = (
  payments: PaymentConfirmation[],
  state: ReportedState,
  before: ReportedState | null = null,
  { resolution = null, told = [] }: { resolution?: Resolution | null; told?: readonly string[] } = {},
) =>
  confirmationAfter({ confirmation: of(...payments), reported: before, resolution, told }, state, AT)
    ?.payments

describe('the payments after a report', () => {
  const RESOLVED = { says: 'paid', by: 'Asha', note: '', at: AT } as const

  test('are those that were ever held, in the order in which they were heard of', () => {
    expect(after([], reported(803, [701]))).toEqual([])
    expect(after([], reported(801, [701, 700, 700]))).toEqual([about('2', OPEN), about('3', OPEN)])
    const second = about('2', CONFIRMED)
    expect(after([second], reported(801, [700, 700]))).toEqual([second, OPEN])
    expect(after([CONFIRMED], reported(801, [702, 700]))).toEqual([CONFIRMED, about('2', OPEN)])
    expect(after([OPEN], reported(840, [702]), null, { told: ['succeeded'] })).toEqual([OPEN])
  })

  test('are not those that went back before anybody was told of them', () => {
    expect(after([OPEN], reported(801, [702, 700]))).toEqual([about('2', OPEN)])
  })

  test('wait for the API if they come after a person has resolved the pay-in, and for an event after all went back', () => {
    const waiting = { ...about('2', OPEN), by: 'api' }
    const back = reported(840, [702])
    expect(after([CONFIRMED], reported(801, [702, 700]), back)).toEqual([CONFIRMED, about('2', OPEN)])
    expect(after([CONFIRMED], reported(801, [700, 700]), null, { resolution: RESOLVED })).toEqual([
      CONFIRMED,
      waiting,
    ])
  })

  test('have an id once exactly what had none is named, also one after the other', () => {
    const unnamed = about(null, DECIDED)
    const both = listing(801, ['1', '1000'], ['2', '500'])
    const half = listing(801, ['1', '1000'], [null, '500'])
    const none = { ...listing(801, [null, '1500']), payments: [] }
    for (const before of [none, listing(801, [null, '1500'])]) {
      expect(after([unnamed], before, before)).toEqual([unnamed])
      expect(after([unnamed], listing(801, ['1', '1500']), before)).toEqual([DECIDED])
      expect(after([unnamed], both, before)).toEqual([DECIDED, about('2', DECIDED)])
      expect(after([unnamed], half, before)).toEqual([DECIDED, unnamed])
    }
    expect(after([DECIDED, unnamed], both, half)).toEqual([DECIDED, about('2', DECIDED)])
    expect(after([CONFIRMED, about(null, OPEN)], both, half)).toEqual([CONFIRMED, about('2', OPEN)])
  })

  test.each<[string, ReturnType<typeof listing>, string[]]>([
    ['more is paid beside it', listing(801, ['1', '1000'], [null, '500']), ['1']],
    ['more is paid, and named', listing(801, ['1', '1000'], ['2', '500']), ['1', '2']],
    ['more is paid, and nothing named', listing(801, [null, '1000'], [null, '500']), []],
    ['another amount is named', listing(801, ['1', '1500']), ['1']],
    ['it may have gone back', listing(801, ['1', '1000', 702], ['2', '1000']), ['2']],
    ['a part went back', listing(841, [null, '700']), []],
  ])('are not known when %s: a decision ends, and what is held is decided anew', (_, state, ids) => {
    const before = listing(801, [null, '1000'])
    const unclear = {
      ...REFUSED,
      decision: { ...decision, payment_id: null },
      message: expect.stringContaining('not which of it the decision is about'),
    }
    const next = continued(before, state)
    const known = after([about(null, DECIDED)], next, before) ?? []
    expect(known).toEqual([unclear, ...ids.map((id) => about(id, OPEN))])
    // A person is told as long as money is held about which nobody has decided.
    const why = (payments: PaymentConfirmation[]) =>
      whyUnserved({ confirmation: of(...payments), reported: next, told: ['succeeded'] }, true)
    expect(why(known)).not.toBeNull()
    const again =
      observe(of(...known), next, { kind: 'decided', decision: SERVED }).confirmation?.payments ?? []
    expect(why(again)).toBeNull()
    const isAboutAll = heldIn(next).every((id) => again.some((each) => paymentOf(each) === id))
    expect({ isAboutAll, open: again.filter(({ stage }) => stage === 'open') }).toEqual({
      isAboutAll: true,
      open: [],
    })
  })

  test('wait for a person if an event told of them before more was paid, and for an event otherwise', () => {
    const before = listing(801, [null, '1000'])
    const more = listing(801, ['1', '1000'], [null, '500'])
    const unnamed = [about(null, OPEN)]
    expect(after(unnamed, more, before)).toEqual([OPEN, about(null, OPEN)])
    const asked = after(unnamed, more, before, { told: ['succeeded'] }) ?? []
    expect(asked).toEqual([
      { ...OPEN, by: 'person' },
      { ...about(null, OPEN), by: 'person' },
    ])
    expect(observe(of(...asked), more, accepted('1000'), true).confirmation?.payments).toEqual(asked)
    const why = whyUnserved({ confirmation: of(...asked), reported: more, told: ['succeeded'] }, true)
    expect(why).toContain('nobody has decided')
  })

  test('keep their ids, whatever else is listed', () => {
    const other = listing(801, ['2', '1500'])
    const before = listing(801, ['1', '1500'])
    expect(after([CONFIRMED], other, before)).toEqual([CONFIRMED, about('2', OPEN)])
    expect(after([DECIDED], other, before)).toEqual([DECIDED, about('2', OPEN)])
    const back = reported(840, [])
    expect(after([CONFIRMED], other, back)).toEqual([CONFIRMED, about('2', OPEN)])
  })

  test('without a name stand beside those with one', () => {
    const half = listing(801, ['1', '1500'], [null, '1500'])
    expect(after([], half)).toEqual([OPEN, about(null, OPEN)])
  })

  test('are held if only a part of them is listed, as returned', () => {
    const before = listing(801, ['1', '1500'])
    const part = continued(before, { ...listing(841, ['1', '300', 705]), amount: '1200' })
    expect(after([CONFIRMED], part, before)).toEqual([CONFIRMED])
    expect(whyUnserved({ confirmation: of(CONFIRMED), reported: part, told: ['succeeded'] }, false)).toBe(
      null,
    )
    expect(after([DECIDED], part, before)).toEqual([DECIDED])
  })

  test('went back if all of them is returned under their ids, and not if a part is', () => {
    const listed = (returned: string) => {
      const state = reported(801, [700, 705])
      const [paid, back] = state.payments
      return { ...state, payments: [paid!, { ...back!, payment_id: '1', amount: returned }] }
    }
    expect(isRefundDue({ confirmation: of(FAILED), reported: listed('500') })).toBe(true)
    expect(isRefundDue({ confirmation: of(FAILED), reported: listed('1500') })).toBe(false)
  })

  test('without a name are one', () => {
    const unnamed = [about(null, OPEN)]
    expect(after([], reported(801, []))).toEqual(unnamed)
    expect(after(unnamed, reported(801, []))).toEqual(unnamed)
    expect(after([CONFIRMED], reported(801, []))).toEqual([CONFIRMED])
  })

  test('are refused as the first one was, unless a person has resolved the pay-in', () => {
    const next = { ...DECIDED, decision: { ...failed, payment_id: '2' } }
    expect(after([FAILED], reported(801, [700, 700]))).toEqual([FAILED, next])
    expect(after([FAILED], reported(801, [705, 700]))).toEqual([FAILED, next])
    expect(after([FAILED], reported(801, [700, 700]), null, { resolution: RESOLVED })).toMatchObject([
      {},
      { stage: 'open' },
    ])
    // An excess was refused, and the service provided.
    const excess = [CONFIRMED, about('2', FAILED)]
    expect(after(excess, reported(801, [700, 705, 700]))).toEqual([...excess, about('3', OPEN)])
  })

  test('are not those that count for another transaction, also after FAILED', () => {
    const both = reported(801, [700, 700])
    const [own, other] = both.payments.map((payment, index) =>
      index === 0 ? payment : { ...payment, counted_for: 'C-9' },
    )
    const before = { confirmation: of(FAILED), reported: reported(802), resolution: null, told: [] }
    const after = confirmationAfter(before, { ...both, payments: [own!, other!] }, AT)
    expect(after?.payments).toEqual([FAILED])
    const unheard = { confirmation: of(), reported: null, resolution: null, told: [] }
    expect(confirmationAfter(unheard, { ...both, payments: [other!] }, AT)?.payments).toEqual([])
  })

  test('that went back are not decided any more', () => {
    const gone = { ...REFUSED, message: expect.stringContaining('went back') }
    expect(after([DECIDED], reported(801, [702, 700]))).toEqual([gone, about('2', OPEN)])
    expect(after([DECIDED], reported(840, []))).toEqual([gone])
    expect(after([CONFIRMED], reported(840, []))).toEqual([CONFIRMED])
  })
})
