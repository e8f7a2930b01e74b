/**
 * The kinds of transactions, one row each: the routes, outcomes, events and gateway's callbacks of a kind. The store, the
 * metrics, the routes, the history, the OpenAPI document, the README and the commands derive what they know about kinds
 * from this table. Below it, the texts of the events.
 */

import { z } from 'zod'

import { isKeyOf } from '../contract/parse.ts'
import { AIRTIME_OUTCOMES, TrackedRecipient } from './airtime.ts'
import { TrackedCharge } from './charge.ts'
import { TrackedPayout } from './payout.ts'
import { TRACKED_OUTCOMES } from './tracked.ts'
import { TrackedCheckout } from './view-schema.ts'
import { OUTCOMES } from './view.ts'

import type { ProblemCode } from './problem-codes.ts'

/** The events about one subject. */
interface SubjectRow {
  /** The schema of an event's `data`. */
  data: z.ZodType
  /** The fields of `data` that identify the event's transaction. */
  identifiedBy: readonly string[]
}

/** The gateway's callbacks of one chapter of the spec. */
interface ChapterRow {
  /** The kinds of the transactions that the callbacks are about. */
  kinds: readonly string[]
  /** The purpose of the tokens in the callback addresses of single transactions; `null` if there are none. */
  tokens: string | null
  /**
   * The fields that may contain the reference in the body of a callback to a registered address. The first one that is
   * present counts.
   */
  referenceIn: readonly string[]
}

interface KindRow {
  /** The path segment of the kind's routes below `/api/`. */
  plural: string
  /** By which its transactions are found and counted: those of its route, and whether a person has to check it. */
  outcomes: readonly string[]
  /** The code of the problem document if no transaction of this kind has the reference of a request. */
  unknown: ProblemCode
  /**
   * Whether the personal data of a transaction are erased after its last scheduled query, with its history and its
   * delivered events. What a pay-in keeps of its payer, such as the way back to the shop, is kept as long as it.
   */
  isErasedWhenOld: boolean
  /** By the part of an event's type before the dot. */
  subjects: Readonly<Record<string, SubjectRow>>
  /** By the path segment after `/callbacks/`. */
  chapters: Readonly<Record<string, ChapterRow>>
}

const OF_PAYOUTS = { data: TrackedPayout, identifiedBy: ['payout_reference'] } as const
const TO_PAYOUTS = { kinds: ['payout'], tokens: 'payout', referenceIn: ['payout_reference'] } as const

export const KINDS = {
  checkout: {
    plural: 'checkouts',
    outcomes: [...OUTCOMES, 'needs_attention'],
    unknown: 'unknown_checkout',
    isErasedWhenOld: false,
    subjects: { checkout: { data: TrackedCheckout, identifiedBy: ['order'] } },
    chapters: { checkout: { kinds: ['checkout'], tokens: 'checkout', referenceIn: [] } },
  },
  payout: {
    plural: 'payouts',
    outcomes: TRACKED_OUTCOMES,
    unknown: 'unknown_payout',
    isErasedWhenOld: true,
    subjects: { payout: OF_PAYOUTS, b2b: OF_PAYOUTS },
    chapters: { payouts: TO_PAYOUTS, b2b: TO_PAYOUTS },
  },
  charge: {
    plural: 'charges',
    outcomes: TRACKED_OUTCOMES,
    unknown: 'unknown_charge',
    isErasedWhenOld: false,
    subjects: { charge: { data: TrackedCharge, identifiedBy: ['external_reference'] } },
    chapters: {
      charges: {
        kinds: ['charge', 'checkout'],
        tokens: null,
        // [assumed] A callback about a charge has the payload of a checkout, or is one payment record.
        referenceIn: ['merchant_transaction_id', 'external_reference'],
      },
    },
  },
  airtime: {
    plural: 'airtime',
    outcomes: AIRTIME_OUTCOMES,
    unknown: 'unknown_airtime',
    isErasedWhenOld: true,
    subjects: { airtime: { data: TrackedRecipient, identifiedBy: ['reference', 'phone_number'] } },
    chapters: { airtime: { kinds: ['airtime'], tokens: null, referenceIn: ['external_reference'] } },
  },
} as const satisfies Record<string, KindRow>

export const KindName = z.enum(Object.keys(KINDS).filter(isKeyOf(KINDS)))
export type KindName = keyof typeof KINDS

type ChapterOf<Kind extends KindName> = { [K in Kind]: keyof (typeof KINDS)[K]['chapters'] }[Kind]

/** The chapters of all kinds. */
export const CHAPTERS = {
  ...KINDS.checkout.chapters,
  ...KINDS.payout.chapters,
  ...KINDS.charge.chapters,
  ...KINDS.airtime.chapters,
} satisfies Record<ChapterOf<KindName>, { kinds: readonly KindName[]; tokens: KindName | null }>

export type Chapter = keyof typeof CHAPTERS
/** The chapters whose transactions have callback addresses of their own. */
export type OwnAddress = {
  [C in Chapter]: (typeof CHAPTERS)[C]['tokens'] extends null ? never : C
}[Chapter]

/**
 * For each event type, a text for merchants: when the event is sent and, for some types, what to do then. The events of
 * a checkout are decided in `checkouts/transition.ts`; those of other kinds follow from the outcome (`determineOutcome`
 * of the kind).
 */
export const EVENTS = {
  'checkout.paid':
    'The gateway reports 801, and reference, currency, account and sum agree. Compare `amount` and `currency` with your order, then fulfil it. Accepting this event confirms the service of an order with splits.',
  'checkout.paid_late':
    'Paid as above, after you were told that the checkout had ended as unpaid, expired or partial, or without money after a contradiction, whatever was reported since; or after 30 days without an end. With splits or a prompt, the money then waits for your decision.',
  'checkout.overpaid':
    'Sent beside `checkout.paid` when more was paid than was requested, and again when that amount changes or what was too much went back (`discrepancy` is then `null`).',
  'checkout.partial':
    'Part of the amount was paid. Sent again when the part grows, and when the session ends with it.',
  'checkout.unpaid':
    'The checkout ended without money (803). `payments[].reason` says why the attempts failed.',
  'checkout.expired':
    'The session expired without money (820, for two minutes, because the payment of the last minute may be missing), or the gateway no longer knows it.',
  'checkout.reversed':
    'Received money was reversed (840), up to a month later, and what is left does not cover the requested amount.',
  'checkout.refunded':
    'Received money was refunded (841), up to a month later, and what is left does not cover the requested amount.',
  'checkout.review':
    'The gateway reports money, and not as requested (`discrepancy` names the difference): 801 with other terms or with a payment that counts for another order, or 803 and 820 with money or with a payment that cannot be read. Or a payment is still in flight a day after the session has ended, or the gateway has reported no end for 30 days, or reports that contradicted each other end without money. Ask the gateway, and fulfil or refund by hand.',
  'checkout.needs_attention':
    'The checkout is jammed at the operator, unknown to the gateway, or was opened with other terms than requested; reports contradict each other; a requested refund was not reported for 30 days; or, with splits or a prompt, it was paid late, or in full after you had refused the service, or the gateway refused the service confirmation. `attention` says why.',
  'checkout.resolved':
    'A person resolved the checkout (`POST /api/checkouts/{merchant_transaction_id}/resolve`): `outcome` says what became of the money. Confirms and moves nothing.',
  'payout.succeeded': 'The payout was paid to the recipient (700).',
  'payout.failed': 'The gateway rejected the payout (721) or it failed (701). Nothing was paid.',
  'payout.reversed': 'The payout was reversed (702): the money is back in the float account.',
  'payout.refunded': 'The payout was refunded (705): the money is back in the float account.',
  'payout.needs_attention': 'A person has to check the payout; `attention` says why.',
  'payout.resolved':
    'A person resolved the payout (`POST /api/payouts/{payout_reference}/resolve`): `outcome` says what became of the money. Confirms and moves nothing.',
  'b2b.succeeded': 'The B2B payout was paid to the business (700).',
  'b2b.failed': 'The gateway rejected the B2B payout (721) or it failed (701). Nothing was paid.',
  'b2b.reversed': 'The B2B payout was reversed (702): the money is back in the float account.',
  'b2b.refunded': 'The B2B payout was refunded (705): the money is back in the float account.',
  'b2b.needs_attention': 'A person has to check the B2B payout; `attention` says why.',
  'b2b.resolved':
    'A person resolved the B2B payout (`POST /api/payouts/{payout_reference}/resolve`): `outcome` says what became of the money. Confirms and moves nothing.',
  'airtime.succeeded': 'A recipient received the airtime (602). One event for each recipient.',
  'airtime.failed':
    'The gateway rejected the request (721) or the recipient failed (603). One event for each recipient.',
  'airtime.reversed': "A recipient's airtime was reversed (605).",
  'airtime.refunded': "A recipient's airtime was refunded (606).",
  'airtime.needs_attention': 'A person has to check a recipient; `attention` says why.',
  'airtime.resolved':
    'A person resolved the recipient (`POST /api/airtime/{reference}/resolve`): `outcome` says what became of the money. Confirms and moves nothing.',
  'charge.succeeded':
    'The gateway reports 801, and reference, currency, account and sum agree. Provide the service, then accept this event: that confirms the service.',
  'charge.overpaid':
    'Sent beside `charge.succeeded` when more was paid than was requested, and again when that amount changes or what was too much went back (`discrepancy` is then `null`).',
  'charge.failed': 'The gateway refused the charge, or the payer did not pay (803, 820).',
  'charge.reversed':
    'Received money was reversed (840), and what is left does not cover the requested amount.',
  'charge.refunded':
    'Received money was refunded (841), and what is left does not cover the requested amount.',
  'charge.needs_attention':
    'A person has to check the charge, or the gateway refused the service confirmation; `attention` says why.',
  'charge.resolved':
    'A person resolved the charge (`POST /api/charges/{external_reference}/resolve`): `outcome` says what became of the money. Confirms and moves nothing.',
} as const satisfies Readonly<Record<`${string}.${string}`, string>>

/** Events that no transaction causes. Commands send them, to try a webhook. */
export const SENT_BY_HAND = {
  ping: 'Sent by hand only, by the commands `check` and `events ping`, to ask whether you accept signed events. Accept it, and do nothing.',
} as const

/** The `type` of an event, such as `checkout.paid`. */
export type EventType = keyof typeof EVENTS

/** The subject of an event: the part of the event's type before the dot, such as `checkout`. */
export type EventSubject = EventType extends `${infer Subject}.${string}` ? Subject : never

/** The event types of one subject: `EventTypeOf<'checkout'>` is `'checkout.paid' | 'checkout.paid_late' | …`. */
export type EventTypeOf<Subject extends EventSubject> = Extract<EventType, `${Subject}.${string}`>

export const EVENT_TYPES = Object.keys(EVENTS).filter(isKeyOf(EVENTS))

/** The subjects of all kinds. */
export const SUBJECTS = {
  ...KINDS.checkout.subjects,
  ...KINDS.payout.subjects,
  ...KINDS.charge.subjects,
  ...KINDS.airtime.subjects,
} satisfies Record<EventSubject, unknown>

/** Returns the parts of an event's type before and after the dot. */
export function splitType(type: EventType): { subject: EventSubject; suffix: string } {
  const [subject = '', suffix = ''] = type.split('.')
  if (!isKeyOf(SUBJECTS)(subject)) {
    throw new Error(`${type} has no subject.`)
  }
  return { subject, suffix }
}
