import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { PROBLEMS } from '../../server/api/problem-codes.ts'
import { transition as checkoutAfter } from '../../server/checkouts/transition.ts'
import { viewOf as serverView } from '../../server/checkouts/view.ts'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../../server/contract/status.ts'
import { readProblem, readView } from '../../widget/bff/answer.ts'
import { transition } from '../../widget/checkout/session-transition.ts'
import { eventsBetween } from '../../widget/state/events.ts'
import { failure } from '../../widget/state/failure.ts'
import { mayStart } from '../../widget/state/next-steps.ts'
import { IDLE, stateOf, viewOf } from '../../widget/state/state.ts'
import { LANGUAGES, loadWords } from '../../widget/words.ts'
import { en } from '../../widget/words/en.ts'
import { describeSession, staleNote } from '../../widget/words/sentence-choice.ts'
import { EXPIRES_AT, openCheckout, payloadOf } from '../support/worlds/open-checkout.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { CheckoutStatus, PaymentStatus } from '../../server/contract/status.ts'
import type { SessionEvent } from '../../widget/checkout/session-transition.ts'
import type { Failure } from '../../widget/state/failure.ts'
import type { Session } from '../../widget/state/state.ts'
import type { Words } from '../../widget/words/en.ts'
import type { Paid } from '../support/worlds/open-checkout.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const STATUSES = [null, ...Object.values(CHECKOUT_STATUS)]
const PAYMENTS = [[], ...Object.values(PAYMENT_STATUS).map((code) => [code])]
/** The times at which the BFF queries the status, in milliseconds after the end of the session. */
const TIMES = [-29 * MINUTE, -1, 0, 2 * MINUTE - 1, 2 * MINUTE, DAY - 1, DAY, 30 * DAY]

const DIFFERENCES: Record<string, { payment?: Partial<Paid>; fields?: Parameters<typeof payloadOf>[2] }> = {
  none: {},
  excess: { payment: { amount: '2000' } },
  // Even four payments of 300 do not reach the order's amount.
  short: { payment: { amount: '300' } },
  amount: { fields: { amount: '1499.99' } },
  currency: { fields: { currency: 'UGX' } },
  'currency of a payment': { payment: { currency: 'UGX' } },
  account: { payment: { account: 'ACC-002' } },
  reference: { payment: { reference: 'another' } },
  'reference of the checkout': { fields: { checkout_reference: 'CHK-2' } },
}
const NAMES = Object.keys(DIFFERENCES)

/** A report of the gateway, received `afterEnd` milliseconds after the end of the session. */
interface Report {
  status: CheckoutStatus | null
  payments: readonly PaymentStatus[]
  difference: string
  afterEnd: number
}

interface Truth {
  report: Report
  view: CheckoutView
  isPaid: boolean
  isOpen: boolean
}

const everyReport: Report[] = STATUSES.flatMap((status) =>
  PAYMENTS.flatMap((payments) =>
    NAMES.flatMap((difference) => TIMES.map((afterEnd) => ({ status, payments, difference, afterEnd }))),
  ),
)

function viewAfter({ status, payments, difference, afterEnd }: Report): CheckoutView {
  const now = EXPIRES_AT + afterEnd
  const checkout = openCheckout()
  const { payment = {}, fields = {} } = DIFFERENCES[difference] ?? {}
  const said = payments.map((code) => ({ status: code, ...payment }))
  const record =
    status === null
      ? checkout.record
      : checkoutAfter(checkout, { kind: 'status', payload: payloadOf(status, said, fields), at: null }, now)
          .record
  const view = readView(JSON.parse(JSON.stringify(serverView({ ...checkout, record }, now))))
  if (view === null) {
    throw new Error('The element cannot read what the server wrote.')
  }
  return view
}

function truthOf(report: Report): Truth {
  return { report, view: viewAfter(report), isPaid: isPaid(report), isOpen: isOpen(report) }
}

function distinct(reports: readonly Report[]): Truth[] {
  const times = { server_time: '', updated_at: '' }
  const key = ({ view, ...truth }: Truth) =>
    JSON.stringify({ ...truth, view: { ...view, ...times }, report: null })
  return [...new Map(reports.map(truthOf).map((truth) => [key(truth), truth])).values()]
}

function isPaid({ status, payments, difference }: Report): boolean {
  const received = payments.filter((code) => code === 700).length
  const isEnough = difference === 'none' ? received > 0 : difference === 'excess' && received > 0
  return status === 801 && isEnough
}

function isOpen({ status, payments, afterEnd }: Report): boolean {
  if (status === null) {
    return true
  }
  if (status === 850 || status === 851) {
    return afterEnd < DAY
  }
  if (status !== 802 && status !== 803) {
    return false
  }

  const onItsWay = [703, 704, 706, 707, 708]
  if (payments.some((code) => onItsWay.includes(code))) {
    return afterEnd < DAY
  }
  return afterEnd < (status === 803 ? 2 * MINUTE : 0)
}

/** Returns whether the gateway has money and calls the checkout unpaid: the shop has to look, even before the end. */
function isHeld({ status, payments, difference }: Report): boolean {
  return status === 803 && (payments.includes(700) || difference === 'amount')
}

const NOBODY = { payer_name: '', payer_email: '', payer_msisdn: '' }
const PAGES = ['none', 'open', 'blocked', 'closed'] as const
const MEETINGS: Session[] = [
  ...PAGES.map((page): Session => ({ at: 'starting', payer: NOBODY, page, operator: null })),
  ...PAGES.flatMap((page) =>
    (['attribute', 'fragment', 'memory', 'initiate'] as const).map((origin): Session => ({
      at: 'following',
      checkoutId: 'a-checkout',
      view: null,
      trouble: null,
      page,
      origin,
    })),
  ),
]

const FAILURES: Failure[] = [
  failure('network'),
  failure('timeout'),
  failure('invalid_answer'),
  ...Object.entries(PROBLEMS).flatMap(([code, { retryable }]) => {
    const paths = [[], [{ path: 'payer_msisdn' }]]
    return paths.flatMap((errors) => readProblem({ code, retryable, detail: '', errors }) ?? [])
  }),
]

const EVENTS: SessionEvent[] = [
  ...FAILURES.map((each): SessionEvent => ({ type: 'failed', failure: each })),
  ...PAGES.map((page): SessionEvent => ({ type: 'page', page })),
  { type: 'details', problems: [] },
  { type: 'started', payer: NOBODY, page: 'open', operator: null },
  { type: 'resumed', checkoutId: 'a-checkout', origin: 'memory' },
  { type: 'resumed', checkoutId: 'another', origin: 'attribute' },
  { type: 'reset' },
]

const EVERY_WORDS = (await Promise.all(LANGUAGES.map((lang) => loadWords(lang)))).filter(
  (words) => words !== null,
)

const KEYS: Words = {
  ...en,
  sentence: JSON.parse(JSON.stringify(en.sentence), (name, value) =>
    Array.isArray(value) ? [name, name] : value,
  ),
}

const shownKey = (session: Session) => describeSession(session, KEYS, 0)[0]

const SAYS_PAID = ['paid', 'overpaid']
const SAYS_END = [...SAYS_PAID, 'partialEnded', 'unpaidEnded', 'expired', 'reversed', 'refunded', 'review']
const SAYS_FAILED = ['unpaid', 'unpaidEnded', 'expired', 'partial', 'partialEnded', 'reversed', 'refunded']
const TELLS_OUTCOME = ['change', 'paid', 'partial', 'unpaid', 'expired', 'settled']

function violations(before: Session, after: Session, { report, ...truth }: Truth): string[] {
  const told = eventsBetween(before, after).map(([type]) => type)
  const says = shownKey(after)
  const isKnown = viewOf(after) !== null
  const found = [
    ...(truth.isPaid && isKnown
      ? []
      : [
          ...(stateOf(after) === 'paid' ? ['is paid'] : []),
          ...(SAYS_PAID.includes(says) ? [`says ${says}`] : []),
          ...(told.includes('paid') ? ['tells paid'] : []),
        ]),
    ...(isKnown && !truth.isOpen
      ? []
      : [
          ...(SAYS_END.includes(says) && !isSaidOf(report, says) ? [`says ${says}`] : []),
          ...(told.includes('settled') ? ['tells settled'] : []),
          ...(told.includes('expired') ? ['tells expired'] : []),
          ...(isKnown && mayStart(after) ? ['begins anew'] : []),
        ]),
    ...(isKnown ? [] : SAYS_FAILED.includes(says) ? [`says ${says} of nothing known`] : []),
  ]
  return found.map((violation) => `${violation}: ${JSON.stringify(report)}`)
}

/**
 * Returns whether a session that may still be paid is shown so: its money is not as it was asked, or all of it went
 * back. A payment that failed (701) brought none.
 */
function isSaidOf(report: Report, says: string): boolean {
  const withMoney = report.payments.filter((code) => code !== 701)
  const isAllBack = withMoney.length > 0 && withMoney.every((code) => code === 702 || code === 705)
  return says === 'review' ? isHeld(report) : isAllBack && (says === 'reversed' || says === 'refunded')
}

describe('over every status, payment code, difference and time', () => {
  const truths = distinct(everyReport)

  test('only 801 with matching terms is shown and dispatched as paid, and nothing open as final', () => {
    const found = truths.flatMap((truth) =>
      MEETINGS.flatMap((before) =>
        violations(before, transition(before, { type: 'view', view: truth.view }), truth),
      ),
    )
    expect(found).toEqual([])
  })

  test('full payment is shown and dispatched as paid, so the rule that only 801 is paid is not empty', () => {
    const paid = everyReport.filter(isPaid)
    expect(paid).toHaveLength(2 * TIMES.length)
    for (const report of paid) {
      const [before = IDLE] = MEETINGS
      const after = transition(before, { type: 'view', view: viewAfter(report) })
      const told = eventsBetween(before, after).map(([type]) => type)
      expect({ state: stateOf(after), told }).toEqual({ state: 'paid', told: ['change', 'paid', 'settled'] })
    }
  })
})

test('a failure before the first view is not shown as an outcome, in any language', () => {
  const outcomes = new Set(
    EVERY_WORDS.flatMap(({ sentence: all }) => Object.values(all).flat().filter(Boolean)),
  )
  const found = [IDLE, ...MEETINGS].flatMap((before) =>
    FAILURES.flatMap((each) => {
      const after = transition(before, { type: 'failed', failure: each })
      const told = eventsBetween(before, after).map(([type]) => type)
      const said = EVERY_WORDS.flatMap((words) => [
        ...describeSession(after, words, 0),
        staleNote(after, words, true),
      ])
      return [
        ...(/^(idle|details|error|waiting)$/.test(stateOf(after)) ? [] : [stateOf(after)]),
        ...told.filter((type) => TELLS_OUTCOME.includes(type)),
        ...(after.at === 'error' ? said.filter((text) => outcomes.has(text)) : []),
      ]
    }),
  )
  expect(found).toEqual([])
})

test('after any history, the element shows the last report or less', () => {
  const told = fc.record({
    status: fc.constantFrom(...STATUSES),
    payments: fc.array(fc.constantFrom(...Object.values(PAYMENT_STATUS)), { maxLength: 4 }),
    difference: fc.constantFrom(...NAMES),
    afterEnd: fc.constantFrom(...TIMES),
  })
  const happening = fc.oneof(
    told.map((report) => ({ report })),
    fc.constantFrom(...EVENTS).map((event) => ({ event })),
  )
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 12 }), (history) => {
      let session: Session = transition(IDLE, {
        type: 'started',
        payer: NOBODY,
        page: 'open',
        operator: null,
      })
      let last = truthOf({ status: null, payments: [], difference: 'none', afterEnd: -1 })
      let version = 0
      for (const each of history) {
        const before = session
        if ('event' in each) {
          session = transition(before, each.event)
        } else {
          const truth = truthOf(each.report)
          const view = { ...truth.view, version: ++version }
          session = transition(before, { type: 'view', view })
          if (viewOf(session) === view) {
            last = truth
          }
        }

        expect(violations(before, session, last)).toEqual([])
      }
    }),
    { numRuns: 300 },
  )
})
