import { describe, expect, test } from 'vitest'

import { sum } from '../../../server/contract/decimal.ts'
import { GatewayError, GatewayRefusal } from '../../../server/gateway/errors.ts'
import { confirmationAfter } from '../../../server/payins/confirmation-after-report.ts'
import { trackedFulfilmentOf, whyUnserved } from '../../../server/payins/fulfilment.ts'
import { heldIn, isAboutHeld, paymentOf } from '../../../server/payins/held-payments.ts'
import { sendDecision } from '../../../server/payins/merchant-decision.ts'
import { payInProgress } from '../../../server/payins/progress.ts'
import { moneyOf } from '../../../server/payins/reported-money.ts'
import { SERVED, transitionConfirmation, withdrawn } from '../../../server/payins/service-confirmation.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { continued } from '../../../server/payins/succession.ts'
import { sendableIn } from '../../../server/transactions/kind.ts'
import { createSeededRandom } from '../../support/seeded-random.ts'
import {
  about,
  accepted,
  alarm,
  CONFIRMED,
  decision,
  DECIDED,
  failed,
  FAILED,
  observe,
  of,
  OPEN,
  REFUSED,
  reported,
} from '../../support/worlds/confirmations.ts'
import { SENT as AT } from '../../support/worlds/observed.ts'
import { payloadOf } from '../../support/worlds/open-checkout.ts'

import type { Confirmation } from '../../../server/contract/charge.ts'
import type { CheckoutStatus, PaymentStatus } from '../../../server/contract/status.ts'
import type { GatewayClient } from '../../../server/gateway/client.ts'
import type { ReportedState } from '../../../server/payins/reported-state.ts'
import type { Confirming, GatewayAnswer } from '../../../server/payins/service-confirmation.ts'
import type { Decision, PaymentConfirmation, ServiceConfirmation } from '../../../server/transactions/kind.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'

describe('a decision of the merchant', () => {
  const decide = (before: ServiceConfirmation, state: ReportedState | null) =>
    observe(before, state, { kind: 'decided', decision: SERVED })
  const served = (payment_id: string | null) => ({ ...DECIDED, decision: { ...SERVED, payment_id } }) as const

  test.each<[PaymentConfirmation[], CheckoutStatus, PaymentStatus[], PaymentConfirmation[]]>([
    [[OPEN], 801, [700], [served('1')]],
    [[REFUSED], 802, [700], [served('1')]],
    [[{ ...OPEN, by: 'api' }], 801, [700], [served('1')]],
    // It is about each payment that is held and has none.
    [[about('2', OPEN), about('3', OPEN)], 801, [701, 700, 700], [served('2'), served('3')]],
    [[CONFIRMED, about('2', REFUSED)], 801, [700, 700], [CONFIRMED, served('2')]],
    [[CONFIRMED, about('2', OPEN)], 801, [700, 700], [CONFIRMED, served('2')]],
    [[FAILED, about('2', OPEN)], 801, [705, 700], [FAILED, served('2')]],
    // It is not about what went back.
    [[OPEN, about('2', OPEN)], 801, [702, 700], [OPEN, served('2')]],
    [[about(null, OPEN)], 801, [701, 703], [served(null)]],
    // The money counts, whatever the status says.
    ...([803, 820, 850, 851] as const).map(
      (status): [PaymentConfirmation[], CheckoutStatus, PaymentStatus[], PaymentConfirmation[]] => [
        [OPEN],
        status,
        [700],
        [served('1')],
      ],
    ),
  ])('is stored for %j of %i, %j', (before, status, payments, decided) => {
    expect(decide(of(...before), reported(status, payments))).toEqual({
      confirmation: of(...decided),
      // A person has checked the pay-in.
      alarm: null,
      historyEntry: `The merchant says SUCCESSFUL: ${SERVED.narration}`,
    })
  })

  test.each<[PaymentConfirmation[], CheckoutStatus | null, PaymentStatus[]]>([
    // A decision exists already.
    [[DECIDED], 801, [700]],
    [[CONFIRMED], 801, [700]],
    [[FAILED, about('2', FAILED)], 801, [700, 700]],
    // Nothing is paid, or it was returned.
    [[], null, []],
    [[OPEN], 801, [702]],
    ...([803, 820, 850, 851] as const).map(
      (status): [PaymentConfirmation[], CheckoutStatus, PaymentStatus[]] => [[], status, []],
    ),
    ...([840, 841] as const).map((status): [PaymentConfirmation[], CheckoutStatus, PaymentStatus[]] => [
      [OPEN],
      status,
      [700],
    ]),
  ])('changes nothing for %j of %s, %j', (before, status, payments) => {
    const state = status && reported(status, payments)
    const confirmation = of(...before)
    expect(decide(confirmation, state)).toEqual({ confirmation, alarm, historyEntry: null })
  })

  test('about a contradiction that a person has resolved keeps its alarm', () => {
    const resolution = { says: 'paid', by: 'Asha', note: '', at: AT } as const
    const contradiction = {
      why: 'The gateway said 803 after 801, which is kept.',
      until: 'returned',
    } as const
    const before = { confirmation: of(OPEN), reported: reported(801), alarm: contradiction, resolution }
    const made = { kind: 'decided', decision: SERVED } as const
    expect(transitionConfirmation(before, made, false, AT).record.alarm).toEqual(contradiction)
  })
})

describe('an accepted event about a payment', () => {
  const accept = (before: ServiceConfirmation, isPaid: boolean) =>
    observe(before, reported(801), accepted('1500'), isPaid)

  test('is the decision SUCCESSFUL, if there is no decision and the payment counts as paid', () => {
    expect(accept(of(OPEN), true).confirmation?.payments).toMatchObject([
      { stage: 'decided', decision: SERVED },
    ])
    for (const payment of [DECIDED, CONFIRMED, REFUSED]) {
      expect(accept(of(payment), true)).toEqual({ confirmation: of(payment), alarm, historyEntry: null })
    }
  })

  test('is kept while the payment does not count as paid, once', () => {
    const kept = { accepted: '1500', payments: [OPEN] }
    const historyEntry = expect.stringContaining('It is confirmed when it does again.')
    expect(accept(of(OPEN), false)).toEqual({ confirmation: kept, alarm, historyEntry })
    expect(accept(kept, false)).toEqual({ confirmation: kept, alarm, historyEntry: null })
    expect(accept(kept, true).confirmation).toMatchObject({
      accepted: null,
      payments: [{ stage: 'decided', decision: SERVED }],
    })
  })

  test('is kept also before a payment is heard of, as after the recovery of a backup', () => {
    const result = observe(of(), null, accepted('1500'), false)
    expect(result.confirmation).toEqual({ accepted: '1500', payments: [] })
  })

  test.each<[string, received: string, PaymentConfirmation[], PaymentStatus[], decided: string[]]>([
    ['what it tells of', '3000', [OPEN, about('2', OPEN)], [700, 700], ['1', '2']],
    ['what was paid after a part', '3000', [CONFIRMED, about('2', OPEN)], [700, 700], ['2']],
    ['not what came after it', '1500', [OPEN, about('2', OPEN)], [700, 700], ['1']],
    ['not what came after a part, again', '1500', [CONFIRMED, about('2', OPEN)], [700, 700], []],
    ['in the order of hearing, not of the report', '1500', [about('2', OPEN), OPEN], [700, 700], ['2']],
    ['not what only the API decides about', '1500', [{ ...OPEN, by: 'api' }], [700], []],
    ['not what took the place of a payment', '1500', [OPEN, about('2', OPEN)], [702, 700], []],
    ['what is left of two that it told of', '3000', [OPEN, about('2', OPEN)], [702, 700], ['2']],
    ['the first payment, whose amount was corrected since', '1000', [OPEN], [700], ['1']],
  ])('confirms %s', (_, received, before, payments, decided) => {
    const { confirmation } = observe(of(...before), reported(801, payments), accepted(received), true)
    const made = confirmation?.payments.filter(({ stage }) => stage === 'decided')
    expect(made?.map(trackedPayment)).toEqual(decided)
  })
})

const trackedPayment = (confirmation: PaymentConfirmation) =>
  trackedFulfilmentOf(of(confirmation), null).payment_id

test('a person who resolves a pay-in withdraws what the gateway has not answered, and which decision it was is kept', () => {
  expect(withdrawn(null)).toBe(null)
  const message = expect.stringContaining('A person resolved it')
  const ENDED = { ...REFUSED, is_resolved: true }
  expect(withdrawn({ accepted: '1500', payments: [OPEN, DECIDED, CONFIRMED, REFUSED] })).toEqual(
    of({ ...OPEN, by: 'api' }, { ...ENDED, message }, CONFIRMED, ENDED),
  )
})

describe('the answer of the gateway', () => {
  const answer = (before: PaymentConfirmation, given: GatewayAnswer) =>
    observe(of(before, about('2', CONFIRMED)), null, { kind: 'answered', answer: given })
  const beside = about('2', CONFIRMED)

  const refusal = { stage: 'refused', decision, message: 'Too late.' } as const
  test.each([
    [CONFIRMED, CONFIRMED, 'The gateway accepted SUCCESSFUL.'],
    [refusal, REFUSED, 'Too late.'],
  ] as const)('is that about the payment that the decision names: %j', (given, stored, historyEntry) => {
    const sent = { ...DECIDED, sent_at: AT, unanswered: 1 }
    expect(answer(sent, given)).toEqual({ confirmation: of(stored, beside), alarm, historyEntry })
    for (const before of [OPEN, CONFIRMED]) {
      expect(answer(before, given)).toEqual({ confirmation: of(before, beside), alarm, historyEntry: null })
    }
  })

  test('counts if the gateway takes what was withdrawn meanwhile', () => {
    expect(answer(REFUSED, CONFIRMED).confirmation).toEqual(of(CONFIRMED, beside))
  })

  test.each([failed, { ...decision, payment_id: '3' }])(
    'does not count for another decision: %j',
    (other) => {
      const later = { ...DECIDED, decision: other }
      const historyEntry = expect.stringContaining('an earlier decision')
      expect(answer(later, CONFIRMED)).toEqual({ confirmation: of(later, beside), alarm, historyEntry })
    },
  )
})

test('the next decision is the one whose turn it is, and one without an id waits for the id', () => {
  const next = (second: number | null, third: number | null) =>
    sendableIn(
      of(
        CONFIRMED,
        about(null, DECIDED),
        about('2', { ...DECIDED, sent_at: second }),
        about('3', { ...DECIDED, sent_at: third }),
      ),
    )?.decision.payment_id
  expect(next(null, null)).toBe('2')
  expect(next(AT, null)).toBe('3')
  expect(next(AT, AT + 1)).toBe('2')
  expect(next(AT + 2, AT + 1)).toBe('3')
  expect(sendableIn(of(about(null, DECIDED)))).toBe(null)
  expect(sendableIn(of(CONFIRMED))).toBe(null)
})

test('a confirmation is under way only between decision and answer', () => {
  const times = { created_at: AT, sent_at: AT, updated_at: AT }
  const settled = { reported: null, settled_at: AT, answered_at: AT, alarm: null, resolution: null }
  const stages = [null, of(), of(OPEN), of(CONFIRMED, about('2', DECIDED)), of(CONFIRMED), of(REFUSED)].map(
    (confirmation) => payInProgress({ confirmation, ...settled }, times, AT).stage,
  )
  expect(stages).toEqual(['settled', 'settled', 'settled', 'confirming', 'settled', 'settled'])
})

describe('a decision', () => {
  const refusal = { status_code: 174, status_description: 'Generic failure', message: '' }
  const refused = new GatewayRefusal('POST /acknowledge', refusal)
  const why = 'The gateway refused POST /acknowledge: 174 Generic failure.'

  async function send(answer: () => Promise<string>) {
    const sent: Confirmation[] = []
    const client: Pick<GatewayClient, 'confirmService'> = {
      async confirmService(body, context) {
        expect(context).toEqual({ traceId: 'trace' })
        sent.push(body)
        return { payment_id: body.payment_id, message: await answer() }
      },
    }
    const observation = await sendDecision({ trace_id: 'trace' }, decision, { client })
    return { sent, observation }
  }

  const refusedSo = { stage: 'refused', decision, message: why }
  test.each<[string, answer: () => Promise<string>, answer: object]>([
    ['confirmed', async () => 'Taken.', CONFIRMED],
    ['refused', () => Promise.reject(refused), refusedSo],
  ])('is sent, and the answer observed: %s', async (_, given, answer) => {
    expect(await send(given)).toMatchObject({ sent: [decision], observation: { kind: 'answered', answer } })
  })

  test('stays unchanged when the response is lost', async () => {
    const lost = new GatewayError('gateway_timeout', 'No answer.')
    await expect(send(() => Promise.reject(lost))).rejects.toBe(lost)
  })
})

describe('whatever is paid, goes back and is named, decided and accepted, in whichever order,', () => {
  const STORIES = 300
  const UNDOUBTED = { alarm: null, resolution: null }
  const decidedAs = (status: 'SUCCESSFUL' | 'FAILED') =>
    ({ kind: 'decided', decision: { status, narration: 'Said.' } }) as const

  interface Made {
    id: string
    amount: string
    status: PaymentStatus
  }

  /** Lets another payment be made, or one go back. */
  function happen(random: SeededRandom, made: readonly Made[]): Made[] {
    if (made.length === 0 || (made.length < 3 && random.happens(0.4))) {
      const amount = random.pick(['500', '500', '1000'])
      return [...made, { id: `${made.length + 1}`, amount, status: 700 }]
    }

    const place = random.between(0, made.length - 1)
    const isBack = random.happens(0.15)
    return made.map((each, index) => (isBack && index === place ? { ...each, status: 702 } : each))
  }

  /** Reports what happened. Some names may be missing, or all payments, and they may be listed by their last change. */
  function randomReport(random: SeededRandom, made: readonly Made[], nameless: number): ReportedState {
    const listed = made.map(({ id, ...each }) => ({ ...each, id: random.happens(nameless) ? null : id }))
    const received = made.filter(({ status }) => status === 700).map(({ amount }) => amount)
    const payments = random.happens(0.5) ? listed : listed.toReversed()
    return toReportedState(payloadOf(801, payments, { amount: sum(received) }), AT, 'KES')
  }

  /** Tells a story. Returns its last state, what the merchant said of which payments, and what the gateway took. */
  function tell(seed: number) {
    const random = createSeededRandom(seed)
    const nameless = random.pick([0, 0.3, 0.6])
    let made: Made[] = []
    let state = { confirmation: of(), reported: null as ReportedState | null, told: [] as string[] }
    const taken: Decision[] = []
    const events: { received: string; ids: string[] }[] = []
    const said: { status: Decision['status']; ids: string[] }[] = []

    const apply = (observation: Confirming) => {
      const isPaid = whyUnserved(state, true) === null
      const { record } = transitionConfirmation({ ...state, ...UNDOUBTED }, observation, isPaid, AT)
      state = { ...state, confirmation: record.confirmation }
    }

    for (let step = 0; step < 16; step++) {
      const pending = sendableIn(state.confirmation)
      const letter = random.pick(['report', 'report', 'accept', 'decide', 'take', 'take'])
      if (letter === 'report') {
        made = happen(random, made)
        const reported = continued(state.reported, randomReport(random, made, nameless))
        const confirmation = confirmationAfter({ ...state, resolution: null }, reported, AT) ?? of()
        state = { confirmation, reported, told: state.told }
        if (whyUnserved(state, true) === null) {
          events.push({ received: moneyOf(reported).received, ids: made.map(({ id }) => id) })
          state.told = ['succeeded']
        }
      } else if (letter === 'accept' && events.length > 0) {
        const { received, ids } = random.pick(events)
        said.push({ status: 'SUCCESSFUL', ids })
        apply(accepted(received))
      } else if (letter === 'decide') {
        const status = random.pick(['SUCCESSFUL', 'SUCCESSFUL', 'FAILED'] as const)
        said.push({ status, ids: made.map(({ id }) => id) })
        apply(decidedAs(status))
      } else if (letter === 'take' && pending) {
        taken.push(pending.decision)
        apply({
          kind: 'answered',
          answer: { stage: 'confirmed', decision: pending.decision, message: null },
        })
      }
    }

    return { state, taken, said, made }
  }

  test('the gateway takes one decision about a payment, FAILED only if the merchant said so, and SUCCESSFUL only of what was paid then', () => {
    for (let seed = 0; seed < STORIES; seed++) {
      const { taken, said } = tell(seed)
      const ids = taken.map(({ payment_id }) => payment_id)
      expect(new Set(ids).size, `story ${seed}`).toBe(ids.length)
      const unsaid = taken.filter(({ status, payment_id }) => {
        const isSaid = said.some((each) => each.status === status && each.ids.includes(payment_id ?? ''))
        return !isSaid && (status === 'SUCCESSFUL' || !said.some((each) => each.status === 'FAILED'))
      })
      expect(unsaid, `story ${seed}`).toEqual([])
    }
  })

  test('a held payment is decided, or can be', () => {
    for (let seed = 0; seed < STORIES; seed++) {
      const { state } = tell(seed)
      const before = { ...state, ...UNDOUBTED }
      const { record } = transitionConfirmation(before, decidedAs('SUCCESSFUL'), true, AT)
      const open = record.confirmation.payments.filter((each) => each.stage === 'open')
      expect(
        open.filter((each) => isAboutHeld(each, state.reported)),
        `story ${seed}`,
      ).toEqual([])
      const known = record.confirmation.payments.map(paymentOf)
      const held = state.reported === null ? [] : heldIn(state.reported)
      expect(known, `story ${seed}`).toEqual(expect.arrayContaining(held))
    }
  })
})
