import { describe, expect, test } from 'vitest'

import { transition } from '../../../widget/checkout/session-transition.ts'
import { failure } from '../../../widget/state/failure.ts'
import { mayStart } from '../../../widget/state/next-steps.ts'
import {
  checkoutIdOf,
  hasPopup,
  hasReceipt,
  IDLE,
  isBlocked,
  paysByPrompt,
  isPrompting,
  phoneAsks,
  payUrl,
  stateOf,
  viewOf,
  workOf,
} from '../../../widget/state/state.ts'
import { freshView } from '../../support/worlds/scripted-bff.ts'

import type { CheckoutView } from '../../../server/api/view.ts'
import type { Following, Session } from '../../../widget/state/state.ts'

const NOBODY = { payer_name: '', payer_email: '', payer_msisdn: '' }
const view = freshView(Date.UTC(2026, 10, 21, 9))
const URL = view.redirect_url ?? ''
const lost = failure('network')
const fatal = failure('no_order')
const wrong = { ...fatal, fields: ['payer_email'] as const }

const following = (fields: Partial<Following> = {}): Following => ({
  at: 'following',
  checkoutId: 'checkout-01-of-the-tests',
  view,
  trouble: null,
  page: 'none',
  origin: 'initiate',
  ...fields,
})
const seen = (fields: Partial<CheckoutView>) => following({ view: { ...view, ...fields } })
const details: Session = { at: 'details', problems: ['payer_name'], failure: null }
const starting: Session = { at: 'starting', payer: NOBODY, page: 'open', operator: null }
const failed: Session = { at: 'error', failure: fatal }

describe('a session', () => {
  test.each([
    [IDLE, 'idle'],
    [details, 'details'],
    [starting, 'starting'],
    [failed, 'error'],
    [following(), 'waiting'],
    [following({ view: null }), 'waiting'],
    [following({ page: 'blocked' }), 'blocked'],
    [following({ page: 'open' }), 'waiting'],
    [following({ view: null, page: 'blocked' }), 'waiting'],
    [following({ view: { ...view, outcome: 'unpaid' }, page: 'blocked' }), 'unpaid'],
    [seen({ outcome: 'paid', settled: true }), 'paid'],
  ] satisfies [Session, string][])('the session %j shows %s', (session, state) => {
    expect(stateOf(session)).toBe(state)
    expect(viewOf(session)).toBe(session.at === 'following' ? session.view : null)
  })

  test.each([
    [IDLE, true],
    [details, true],
    [starting, false],
    [failed, false],
    [{ at: 'error', failure: lost }, true],
    [following(), false],
    [following({ view: null }), false],
    [seen({ outcome: 'unpaid' }), false],
    [seen({ outcome: 'unpaid', settled: true }), true],
    [seen({ outcome: 'expired', settled: true }), true],
    [seen({ outcome: 'paid', settled: true }), false],
    [seen({ outcome: 'partial', settled: true }), false],
  ] satisfies [Session, boolean][])('the session %j may start a checkout: %s', (session, may) => {
    expect(mayStart(session)).toBe(may)
    const asked = transition(session, { type: 'details', problems: ['payer_name'] })
    const begun = transition(session, { type: 'started', payer: NOBODY, page: 'open', operator: null })
    expect(asked).toEqual(may ? details : session)
    expect(begun).toEqual(may ? starting : session)
  })

  test.each([
    [IDLE, false],
    [starting, true],
    [{ ...starting, page: 'blocked' }, false],
    [following({ page: 'open' }), true],
    [following({ page: 'open', view: null }), true],
    [following({ page: 'closed' }), false],
    [following({ page: 'open', view: { ...view, settled: true } }), false],
  ] satisfies [Session, boolean][])('the session %j has a pop-up: %s', (session, has) => {
    expect(hasPopup(session)).toBe(has)
  })

  test.each([
    [IDLE, null, null],
    [details, null, 'methods'],
    [starting, null, 'initiate'],
    [failed, null, null],
    [following({ view: null }), 'checkout-01-of-the-tests', 'checkout-01-of-the-tests'],
    [following(), 'checkout-01-of-the-tests', 'checkout-01-of-the-tests'],
  ] satisfies [Session, string | null, string | null][])(
    'the session %j is of checkout %s, with work %s',
    (session, ...expected) => {
      expect([checkoutIdOf(session), workOf(session)]).toEqual(expected)
    },
  )
})

describe('a prompt on the phone', () => {
  const methods = [
    { code: 'MPESA_KEN', name: 'M-PESA' },
    { code: 'AIRTEL_KEN', name: 'Airtel Money' },
  ]
  const prompt = { methods, method: 'MPESA_KEN' }
  const unasked = { methods, method: null }
  const payment = { amount: '1500', currency: 'KES', method: null, paid_at: null }
  const open = { ...payment, status: 703, outcome: 'waiting' } as const
  const declined = { ...payment, status: 701, outcome: 'failed' } as const

  test.each<[string, Partial<CheckoutView>, boolean]>([
    ['the phone was asked', { prompt }, true],
    ['the phone was asked and declined', { prompt, outcome: 'unpaid', payments: [declined] }, false],
    ['the gateway is pending over an open prompt', { prompt, outcome: 'pending', payments: [open] }, true],
    [
      'the gateway is pending over a payment',
      { prompt, outcome: 'pending', payments: [open, declined] },
      false,
    ],
    ['the gateway is pending over nothing', { prompt, outcome: 'pending' }, false],
    ['another outcome has an open prompt', { prompt, outcome: 'review', payments: [open] }, false],
    ['nobody was asked yet', { prompt: unasked }, false],
    ['the hosted page asked', { payments: [declined, open] }, true],
    ['the hosted page asked before', { payments: [open, declined] }, false],
    ['the hosted page asked nobody', {}, false],
    ['the hosted page is pending', { outcome: 'pending', payments: [open] }, false],
  ])('a prompt on the phone is open: %s: %s', (_, fields, is) => {
    expect(phoneAsks({ ...view, ...fields })).toBe(is)
    expect(isPrompting({ ...view, ...fields })).toBe(is && 'prompt' in fields)
    if (is) {
      expect(hasReceipt({ ...view, ...fields })).toBe(false)
    }
  })

  test('a prompt on the phone is not open before the first view', () => {
    expect({ paysByPrompt: paysByPrompt(null), phoneAsks: phoneAsks(null) }).toEqual({
      paysByPrompt: false,
      phoneAsks: false,
    })
  })
})

describe('the hosted page', () => {
  const { redirect_url: _, ...without } = view
  const payable = ['waiting', 'partial', 'unpaid'] as const
  const others = ['paid', 'expired', 'reversed', 'refunded', 'jammed', 'pending', 'review'] as const

  test('the hosted page is offered while a checkout can be paid and is not settled', () => {
    for (const outcome of payable) {
      expect(payUrl({ ...view, outcome })).toBe(URL)
    }

    for (const outcome of payable) {
      expect(payUrl({ ...view, outcome, settled: true })).toBeNull()
    }

    for (const outcome of others) {
      expect(payUrl({ ...view, outcome })).toBeNull()
    }
  })

  test('the hosted page is not offered where there is none', () => {
    for (const each of [without, { ...view, redirect_url: '' }, null]) {
      expect(payUrl(each)).toBeNull()
    }
  })

  test('the hosted page leaves a receipt once money came, or may have come', () => {
    for (const outcome of [
      'paid',
      'review',
      'jammed',
      'pending',
      'reversed',
      'refunded',
      'partial',
    ] as const) {
      expect(hasReceipt({ ...view, outcome, settled: true })).toBe(true)
    }

    for (const outcome of ['waiting', 'partial', 'unpaid', 'expired'] as const) {
      expect(hasReceipt({ ...view, outcome })).toBe(false)
    }

    for (const outcome of ['unpaid', 'expired'] as const) {
      expect(hasReceipt({ ...view, outcome, settled: true })).toBe(false)
    }
  })

  test('the hosted page is blocked when its pop-up was and money can be paid there', () => {
    expect(isBlocked(view, 'blocked')).toBe(true)
    expect(isBlocked(view, 'closed')).toBe(false)
    expect(isBlocked(null, 'blocked')).toBe(false)
    expect(isBlocked(without, 'blocked')).toBe(false)
    expect(isBlocked({ ...view, outcome: 'partial' }, 'blocked')).toBe(false)
  })
})

describe('a checkout that is taken up', () => {
  const take = (session: Session, checkoutId: string, origin: Following['origin']) =>
    transition(session, { type: 'resumed', checkoutId, origin })

  test('a checkout that is taken up is followed from nothing', () => {
    for (const session of [IDLE, details, failed]) {
      expect(take(session, 'another', 'memory')).toEqual(
        following({ checkoutId: 'another', view: null, origin: 'memory' }),
      )
    }
  })

  test('a checkout that is taken up never interrupts a start', () => {
    expect(take(starting, 'another', 'attribute')).toBe(starting)
  })

  test('a checkout that is taken up replaces another only when the page names it', () => {
    const session = following()
    expect(take(session, 'another', 'attribute')).toMatchObject({ checkoutId: 'another', view: null })
    for (const origin of ['memory', 'fragment', 'initiate'] as const) {
      expect(take(session, 'another', origin)).toBe(session)
    }

    expect(take(session, 'checkout-01-of-the-tests', 'attribute')).toBe(session)
  })
})

describe('a view that is reported', () => {
  const report = (session: Session, fields: Partial<CheckoutView> = {}) =>
    transition(session, { type: 'view', view: { ...view, ...fields } })

  test('a view that is reported answers a start, and keeps the page only while money can be paid there', () => {
    expect(report(starting)).toEqual(following({ page: 'open' }))
    expect(report(starting, { outcome: 'paid', settled: true })).toMatchObject({ page: 'none' })
  })

  test('a view that is reported is not expected by anything else', () => {
    for (const session of [IDLE, details, failed]) {
      expect(report(session)).toBe(session)
    }

    const other = following({ checkoutId: 'another' })
    expect(report(other)).toBe(other)
  })

  test('a view that is reported replaces the one shown and ends the trouble, unless it is older', () => {
    const troubled = following({ trouble: lost })
    expect(report(following({ view: null }), { version: 1 })).toEqual(following())
    expect(report(troubled, { version: view.version })).toEqual(following())
    expect(report(troubled, { version: view.version + 1 })).toMatchObject({ trouble: null })
    expect(report(troubled, { version: view.version - 1 })).toBe(troubled)
  })

  test('a view that is reported is the same end when it is asked for again, and another one after a reversal', () => {
    const ended = seen({ outcome: 'paid', settled: true })
    expect(report(ended, { outcome: 'paid', settled: true })).toBe(ended)
    const later = { version: view.version + 1, outcome: 'reversed', settled: true } as const
    expect(report(ended, later)).toEqual(seen(later))
  })
})

describe('a failure', () => {
  const fail = (session: Session, given = fatal) => transition(session, { type: 'failed', failure: given })

  test('a failure beside a checkout that was seen, or that may be seen later, is only trouble', () => {
    expect(fail(following())).toEqual(following({ trouble: fatal }))
    expect(fail(following({ view: null }), lost)).toEqual(following({ view: null, trouble: lost }))
  })

  test('a failure ends what is merely remembered without an error', () => {
    expect(fail(following({ view: null, origin: 'memory' }))).toBe(IDLE)
    expect(fail(following({ view: null, origin: 'attribute' }))).toEqual(failed)
  })

  test('a failure asks for the details that it names, and is an error otherwise', () => {
    expect(fail(starting)).toEqual(failed)
    const answered = transition(starting, { type: 'failed', failure: wrong })
    expect(answered).toEqual({ at: 'details', problems: ['payer_email'], failure: wrong })
  })
})

test('a page that is seen changes only sessions that have one', () => {
  const see = (session: Session) => transition(session, { type: 'page', page: 'closed' })
  expect(see(starting)).toEqual({ ...starting, page: 'closed' })
  expect(see(following())).toEqual(following({ page: 'closed' }))
  for (const session of [IDLE, details, failed]) {
    expect(see(session)).toBe(session)
  }
})

test('a reset forgets everything', () => {
  for (const session of [details, starting, failed, following()]) {
    expect(transition(session, { type: 'reset' })).toEqual({ at: 'idle' })
  }
})
