/**
 * What a shopper may never be shown and a page never told: over everything that the gateway can say, at every time
 * that matters, through the server's view and the element's session. Small products are gone through in full.
 */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PAYMENT_STATUS } from '../../server/contract/status.ts'
import { PROBLEMS } from '../../server/api/problem-codes.ts'
import { readProblem } from '../../widget/answer.ts'
import { failure } from '../../widget/failure.ts'
import { LANGUAGES, loadWords } from '../../widget/words.ts'
import { en } from '../../widget/locales/en.ts'
import { eventsBetween } from '../../widget/events.ts'
import { describeSession, staleNote } from '../../widget/sentence.ts'
import { transition } from '../../widget/session.ts'
import { IDLE, mayStart, stateOf, viewOf } from '../../widget/session/state.ts'
import { distinct, everyWord, isPaid, NAMES, STATUSES, TIMES, truthOf, viewAfter } from './truths.ts'

import type { Failure } from '../../widget/failure.ts'
import type { Words } from '../../widget/locales/en.ts'
import type { SessionEvent } from '../../widget/session.ts'
import type { Session } from '../../widget/session/state.ts'
import type { Truth } from './truths.ts'

const NOBODY = { payer_name: '', payer_email: '', payer_msisdn: '' }
const PAGES = ['none', 'open', 'blocked', 'closed'] as const
/** Sessions that a view may meet. */
const MEETINGS: Session[] = [
  ...PAGES.map((page): Session => ({ at: 'starting', payer: NOBODY, page })),
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
  failure('network', true),
  failure('timeout', true),
  failure('invalid_answer', true),
  ...Object.entries(PROBLEMS).flatMap(([code, { retryable }]) => {
    const paths = [[], [{ path: 'payer_msisdn' }]]
    return paths.flatMap((errors) => readProblem({ code, retryable, detail: '', errors }) ?? [])
  }),
]

/** What else may happen to a session. */
const EVENTS: SessionEvent[] = [
  ...FAILURES.map((each): SessionEvent => ({ type: 'failed', failure: each })),
  ...PAGES.map((page): SessionEvent => ({ type: 'page', page })),
  { type: 'details', problems: [] },
  { type: 'started', payer: NOBODY, page: 'open' },
  { type: 'resumed', checkoutId: 'a-checkout', origin: 'memory' },
  { type: 'resumed', checkoutId: 'another', origin: 'attribute' },
  { type: 'reset' },
]

const EVERY_WORDS = (await Promise.all(LANGUAGES.map((lang) => loadWords(lang)))).filter(
  (words) => words !== null,
)

/** Words in which each sentence says which one it is. */
const KEYS: Words = {
  ...en,
  sentence: JSON.parse(JSON.stringify(en.sentence), (name, value) =>
    Array.isArray(value) ? [name, name] : value,
  ),
}

/** Which sentence is shown. */
const shown = (session: Session) => describeSession(session, KEYS)[0]

const SAYS_PAID = ['paid', 'overpaid']
const SAYS_END = [...SAYS_PAID, 'partialEnded', 'unpaidEnded', 'expired', 'reversed', 'refunded', 'review']
/** What is said of money that did not come. */
const SAYS_FAILED = ['unpaid', 'unpaidEnded', 'expired', 'partial', 'partialEnded', 'reversed', 'refunded']
const TELLS_OUTCOME = ['change', 'paid', 'partial', 'unpaid', 'expired', 'settled']

/** What may not be, of a session that knows this much of the truth. */
function lies(before: Session, after: Session, { word, ...truth }: Truth): string[] {
  const told = eventsBetween(before, after).map(([type]) => type)
  const says = shown(after)
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
          ...(SAYS_END.includes(says) ? [`says ${says}`] : []),
          ...(told.includes('settled') ? ['tells settled'] : []),
          ...(told.includes('expired') ? ['tells expired'] : []),
          ...(isKnown && mayStart(after) ? ['begins anew'] : []),
        ]),
    ...(isKnown ? [] : SAYS_FAILED.includes(says) ? [`says ${says} of nothing known`] : []),
  ]
  return found.map((lie) => `${lie}: ${JSON.stringify(word)}`)
}

describe('over every status, payment code, difference and time', () => {
  const truths = distinct(everyWord)

  test('only 801 in agreement is shown and told as paid, and nothing that is open as an end', () => {
    const found = truths.flatMap((truth) =>
      MEETINGS.flatMap((before) =>
        lies(before, transition(before, { type: 'view', view: truth.view }), truth),
      ),
    )
    expect(found).toEqual([])
  })

  test('what is paid is shown and told as paid, so that the above says something', () => {
    const paid = everyWord.filter(isPaid)
    expect(paid).toHaveLength(2 * TIMES.length)
    for (const word of paid) {
      const [before = IDLE] = MEETINGS
      const after = transition(before, { type: 'view', view: viewAfter(word) })
      const told = eventsBetween(before, after).map(([type]) => type)
      expect([stateOf(after), told]).toEqual(['paid', ['change', 'paid', 'settled']])
    }
  })

  test('whatever happens then makes nothing paid, nothing an end, and no failed payment of a failure', () => {
    const found: string[] = []
    for (const truth of truths)
      for (const page of PAGES) {
        const { view } = truth
        const before = transition({ at: 'starting', payer: NOBODY, page }, { type: 'view', view })
        const state = stateOf(before)
        const says = shown(before)
        for (const event of EVENTS) {
          const after = transition(before, event)
          const isSame =
            stateOf(after) === state && shown(after) === says && eventsBetween(before, after).length === 0
          found.push(...lies(before, after, truth))
          if (event.type === 'failed' && !isSame)
            found.push(`a failure shows: ${JSON.stringify([truth, event])}`)
        }
      }
    expect(found.slice(0, 5)).toEqual([])
  })
})

test('a failure before anything is known is no outcome, in any language', () => {
  const outcomes = new Set(
    EVERY_WORDS.flatMap(({ sentence: all }) => Object.values(all).flat().filter(Boolean)),
  )
  const found = [IDLE, ...MEETINGS].flatMap((before) =>
    FAILURES.flatMap((each) => {
      const after = transition(before, { type: 'failed', failure: each })
      const told = eventsBetween(before, after).map(([type]) => type)
      const said = EVERY_WORDS.flatMap((words) => [
        ...describeSession(after, words),
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

test('after any history, what is said is the last word or less', () => {
  const told = fc.record({
    status: fc.constantFrom(...STATUSES),
    payments: fc.array(fc.constantFrom(...Object.values(PAYMENT_STATUS)), { maxLength: 4 }),
    difference: fc.constantFrom(...NAMES),
    afterEnd: fc.constantFrom(...TIMES),
  })
  const happening = fc.oneof(
    told.map((word) => ({ word })),
    fc.constantFrom(...EVENTS).map((event) => ({ event })),
  )
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 12 }), (history) => {
      let session: Session = transition(IDLE, { type: 'started', payer: NOBODY, page: 'open' })
      let last = truthOf({ status: null, payments: [], difference: 'none', afterEnd: -1 })
      let version = 0
      for (const each of history) {
        const before = session
        if ('event' in each) session = transition(before, each.event)
        else {
          const truth = truthOf(each.word)
          const view = { ...truth.view, version: ++version }
          session = transition(before, { type: 'view', view })
          if (viewOf(session) === view) last = truth
        }
        expect(lies(before, session, last)).toEqual([])
      }
    }),
    { numRuns: 300 },
  )
})

test('no language says that nothing was charged, in any sentence', () => {
  const CHARGED = /charge|debit|débit|cobra|deduct|prélev|katwa|toz(wa|o)|خصم|سحب/i
  const NEVER_MADE = /no payment was made|aucun paiement n’a été|não houve|yaliyofanyika|لم يحدث/i
  for (const language of EVERY_WORDS) {
    const texts = JSON.stringify([language.sentence, language.failure, language.offline, language.troubled])
    expect(texts).not.toMatch(CHARGED)
    expect(texts).not.toMatch(NEVER_MADE)
  }
})
