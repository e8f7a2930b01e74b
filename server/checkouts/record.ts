/** The stored record of a checkout, its outcome and its money, and how the visits of several tabs become one. Pure. */

import { z } from 'zod'

import { ChargeRequest, SplitSettlement } from '../contract/charge.ts'
import { InitiateRequest } from '../contract/checkout.ts'
import { CheckoutError } from '../contract/errors.ts'
import { canBePaid, determinePayInOutcome, payInOutcome } from '../payins/outcome.ts'
import { intendedFields, namedId, openFields } from '../payins/record.ts'
import { moneyOf } from '../payins/reported-money.ts'
import { isContradicted } from '../transactions/alarm.ts'
import { createReader, storedAmount, storedTime } from '../transactions/record.ts'
import { Resolution } from '../transactions/resolution.ts'
import { told } from '../transactions/told.ts'

import type { PayInOutcome, PayInTerms } from '../payins/outcome.ts'
import type { Money } from '../payins/reported-money.ts'
import type { ReportedState } from '../payins/reported-state.ts'
import type { Stored } from '../transactions/record.ts'

/**
 * How the shopper opens the hosted page, and where the return page sends the shopper.
 *
 * A checkout may be started by several requests from browsers, for example from two tabs. It stores one visit, merged
 * from those of all these requests. Anybody who knows an order can send such a request, and the return page cannot tell
 * which request a returning shopper sent. Where the requests differ, the stored visit therefore contains a neutral
 * value, except in `origin`.
 */
export const Visit = z.object({
  /**
   * How the shopper opened the hosted page; `redirect` if the requests that started the checkout differ in `launch`.
   */
  launch: z.enum(['redirect', 'popup']),
  /**
   * The URL to which the return page redirects shoppers. If the order has a URL, it is that URL. Otherwise, it is the
   * URL in the requests that started the checkout, or `null` if these requests have no URL or differ in the URL or
   * `launch`.
   */
  return_url: z.string().nullable(),
  /**
   * Whether `return_url` comes from the order. The order's URL has priority over URLs in the requests from browsers.
   */
  is_order_url: z.boolean(),
  /**
   * The URLs to which the return page links instead of redirecting, because the requests that started the checkout
   * differ in the URL or in `launch`. Empty if there is only one URL to redirect to, or none, or if they were erased.
   */
  links: z
    .array(z.string())
    .nullable()
    .transform((links) => links ?? []),
  /**
   * The `Origin` header of the first request for this checkout that has one; `null` if no request has one. In a pop-up,
   * the return page notifies only this origin.
   */
  origin: z.string().nullable(),
  /**
   * The shopper's language; `null` if the requests that started the checkout contain different languages. The return
   * page then uses the browser's language.
   */
  lang: z.string().nullable(),
  /**
   * The fingerprints of the order references that browsers sent to start the checkout, which may be secrets. To resume the
   * checkout, a page has to send one of these references. Empty for signed orders: the server then compares the
   * reference in the page's signed order with the checkout's order.
   */
  order_digests: z.array(z.string()),
})
export type Visit = z.output<typeof Visit>

/**
 * The requested terms of a checkout. They are compared with later requests to start a checkout of the order, and with
 * the payments that the gateway reports.
 */
export const RequestedTerms = z.object({
  order: z.string(),
  /** What the payer pays for; `null` once it was erased, or while it cannot be decrypted. */
  narration: z.string().nullable(),
  /** The requested amount: decimal text in major units of `currency`. */
  amount: storedAmount,
  currency: z.string(),
  service_code: z.string(),
  account_number: z.string(),
  /** The requested lifetime of the session, in minutes. */
  expires_in: z.number().min(0).max(1e6),
  /**
   * The order's splits, followed by the splits in the setting PARTNER_ACCOUNTS_DYNAMIC. Empty if the order has no
   * splits.
   */
  splits: z.array(SplitSettlement),
  /** What the order itself states. The settings complete the rest, and may change between two starts. */
  stated: z.object({
    service_code: z.string().nullable(),
    account_number: z.string().nullable(),
    splits: z.array(SplitSettlement),
  }),
})
export type RequestedTerms = z.output<typeof RequestedTerms>

export const Session = z.object({
  /** The gateway's reference for the session; `null` if the gateway's response did not contain a reference. */
  checkout_reference: z.string().nullable(),
  /**
   * The gateway's id of the charge; `null` for a checkout that is not sent as a charge, and for a prompt whose response
   * was lost.
   */
  charge_request_id: z.string().nullable(),
  /** The URL of the hosted page; `null` for a prompt. */
  redirect_url: z.string().nullable(),
  /** When the session expires, in milliseconds since the Unix epoch. */
  expires_at: storedTime,
})
export type Session = z.output<typeof Session>

/**
 * What the gateway answers to the request that starts a checkout of any variant. A field that the response does not
 * contain is `null`; `expires_at` is ISO 8601.
 */
export type Opened = Omit<Session, 'expires_at'> & { expires_at: string | null }

/** The call to the gateway that starts the checkout. */
export const Call = z.discriminatedUnion('variant', [
  z.object({ variant: z.literal('standard'), request: InitiateRequest }),
  z.object({ variant: z.literal('charge'), request: ChargeRequest }),
  z.object({ variant: z.literal('prompt'), request: ChargeRequest }),
])
export type Call = z.output<typeof Call>

/**
 * How a checkout is paid without the hosted page: the gateway prompts the payer on the phone. The view contains the
 * operators as they were when the checkout was started.
 */
export const Prompt = z.object({
  /** The `payment_method_code` of the operator that prompts the payer. */
  method: z.string(),
  /** The operators among which the shopper can choose. */
  methods: z.array(z.object({ code: z.string(), name: z.string(), dial: z.string().exactOptional() })),
})
export type Prompt = z.output<typeof Prompt>

const LinkOfRecord = z.object({
  id: z.string(),
  amount: z.string(),
  quantity: z.int(),
  /** Absent if nothing was asked, `null` if it was erased. */
  answer: z.string().nullable().exactOptional(),
})

/** The fields that a record has in every phase. */
const kept = {
  requested: RequestedTerms,
  visit: Visit,
  /**
   * The fingerprints of the payer's phone number and e-mail address, by which a person's checkouts are found; `null` once
   * the payer's data were erased: later reports then bring none back.
   */
  people: z.array(z.string()).nullable(),
  /** Absent if the shopper pays on the hosted page. */
  prompt: Prompt.optional(),
  /** What the payer of a link chose; absent if the order is not one of a link. */
  link: LinkOfRecord.exactOptional(),
  told,
  /** What a person found out; `null` if nobody resolved it. */
  resolution: Resolution.nullable(),
  named_id: namedId,
}

/** The outcome of a resolved checkout. */
const RESOLVED_OUTCOME = { paid: 'paid', not_paid: 'unpaid', returned: 'refunded' } as const

export const CheckoutRecord = z.discriminatedUnion('phase', [
  /**
   * The checkout is stored, but the gateway has not acknowledged it. The complete request is stored, so that the same
   * bytes can be sent again; it is `null` if it cannot be decrypted.
   */
  z.object({
    phase: z.literal('intended'),
    ...kept,
    call: z.union([Call, z.object({ variant: z.enum(['standard', 'charge', 'prompt']), request: z.null() })]),
    ...intendedFields,
  }),
  /**
   * The gateway acknowledged the checkout and created a session. The payer's details have been deleted from the record.
   */
  z.object({
    phase: z.literal('open'),
    ...kept,
    session: Session,
    ...openFields,
  }),
  /**
   * The checkout was refused, either by the gateway or by this server, for example because the gateway's response
   * contradicted the request.
   */
  z.object({
    phase: z.literal('refused'),
    ...kept,
    why: z.string(),
    /** The gateway's error object; `null` if this server refused the checkout. */
    refusal: CheckoutError.nullable(),
  }),
  /** The checkout was given up, because the gateway did not receive it and the shopper did not start it again. */
  z.object({ phase: z.literal('abandoned'), ...kept }),
])
export type CheckoutRecord = z.output<typeof CheckoutRecord>
export type IntendedCheckout = Extract<CheckoutRecord, { phase: 'intended' }>
export type OpenCheckout = Extract<CheckoutRecord, { phase: 'open' }>
export type ClosedCheckout = Extract<CheckoutRecord, { phase: 'refused' | 'abandoned' }>

export type Checkout<Record extends CheckoutRecord = CheckoutRecord> = Stored<Record>

export const readCheckout = createReader(CheckoutRecord)

/**
 * Returns whether a checkout is sent to the gateway as a charge: a prompt, or a checkout with splits. [spec: Charge
 * request]
 */
export function isCharge({ requested, prompt }: Pick<CheckoutRecord, 'requested' | 'prompt'>): boolean {
  return prompt !== undefined || requested.splits.length > 0
}

/**
 * Returns whether a checkout was given up and certainly never reached the gateway. The order's next start uses it, unless
 * its data were erased or cannot be decrypted: a row keeps what it cannot decrypt.
 */
export function isUnsent({ record, sent_at }: Checkout): boolean {
  return record.phase === 'abandoned' && sent_at === null && record.requested.narration !== null
}

/**
 * Returns whether the shopper can still pay this checkout: its order then gets no other one. A page can be paid until its
 * session has ended, also after a person has resolved what was reported. [assumed] Whoever resolves a prompt knows its
 * answer. Money that came back has ended the order.
 */
export function isPayable(checkout: Checkout): boolean {
  const { record } = checkout
  const { resolution } = record
  switch (record.phase) {
    case 'intended':
      return resolution === null
    case 'open': {
      const { reported, gone_at, alarm, prompt } = record
      const isOver = resolution !== null && (prompt !== undefined || resolution.says !== 'not_paid')
      // After the last deadline, no session is open.
      if (isOver || alarm?.until === 'settled') {
        return false
      }
      return reported
        ? canBePaid(latest(record, reported), termsOf({ ...checkout, record }))
        : gone_at === null
    }
    case 'refused':
    case 'abandoned':
      return false
  }
}

/** Returns what was last reported. A gateway that no longer knows the checkout leaves it as it is, while time passes. */
function latest({ gone_at }: OpenCheckout, reported: ReportedState): ReportedState {
  return { ...reported, at: Math.max(reported.at, gone_at ?? 0) }
}

function termsOf({ record, reference }: Checkout<OpenCheckout>): PayInTerms {
  const { requested, prompt, session } = record
  const { checkout_reference, expires_at } = session
  return { ...requested, reference, checkout_reference, expires_at, is_prompt: prompt !== undefined }
}

export function determineOutcome(checkout: Checkout): PayInOutcome {
  const { record } = checkout
  if (record.resolution) {
    return payInOutcome(RESOLVED_OUTCOME[record.resolution.says], !isPayable(checkout))
  }

  switch (record.phase) {
    case 'intended':
      // A prompt whose response was lost is never sent again: a person has to check whether the payer was charged.
      return payInOutcome(record.stuck === null ? 'waiting' : 'review', false)
    case 'open': {
      const { prompt, reported, gone_at, alarm } = record
      const isGone = gone_at !== null
      const outcome = reported
        ? determinePayInOutcome(latest(record, reported), termsOf({ ...checkout, record }))
        : payInOutcome(isGone ? 'expired' : 'waiting', isGone)
      switch (alarm?.until) {
        case 'settled':
          return outcome.settled ? outcome : payInOutcome('review', true)
        // The payer was prompted: whether money moved is for a person to find out.
        case 'reported':
          return prompt && !outcome.settled ? payInOutcome('review', false) : outcome
        // The report that raised the alarm may have spoken of money, and is not kept; or a person said otherwise.
        case 'returned':
        case 'resolved': {
          const isDoubted = outcome.outcome === 'unpaid' || outcome.outcome === 'expired'
          return isDoubted ? payInOutcome('review', outcome.settled) : outcome
        }
        case 'confirmed':
        case 'refunded':
        case undefined:
          return outcome
      }
    }
    case 'refused':
      return payInOutcome(record.refusal ? 'expired' : 'review', true)
    case 'abandoned':
      return payInOutcome('expired', true)
  }
}

/**
 * Returns the money of a checkout. It cannot be read while the gateway's reports contradict each other, or if no end
 * was reported: there may be money that the stored report does not show.
 */
export function moneyOfCheckout({ record }: Checkout): Money {
  if (record.resolution) {
    return resolvedMoney(record.resolution, record.requested)
  }
  if (record.phase !== 'open') {
    return moneyOf(null)
  }

  const money = moneyOf(record.reported)
  const isDoubted = isContradicted(record.alarm) || record.alarm?.until === 'settled'
  return isDoubted ? { ...money, unreadable: true } : money
}

/** Returns the money of a checkout as a person found it out. */
function resolvedMoney({ says }: Resolution, { amount }: RequestedTerms): Money {
  const none = moneyOf(null)
  return { ...none, received: says === 'paid' ? amount : none.received, returned: says === 'returned' }
}

/**
 * The maximum number of `links`. This maximum also limits how often further requests can change the stored checkout.
 */
const MAX_LINKS = 5
/** The maximum number of `order_digests`. A merchant's backend may accept several references for one order. */
const MAX_DIGESTS = 5

/**
 * Merges `start`, the visit of another request that started the checkout, into the stored visit. Returns `visit` itself
 * if nothing changes.
 */
export function addStart(visit: Visit, start: Visit): Visit {
  const added: Visit = {
    launch: visit.launch === start.launch ? visit.launch : 'redirect',
    ...returnOf(visit, start),
    origin: visit.origin ?? start.origin,
    lang: visit.lang === start.lang ? visit.lang : null,
    order_digests: [...new Set([...visit.order_digests, ...start.order_digests])].slice(0, MAX_DIGESTS),
  }
  // The fields of the second object have the order of `added`.
  return JSON.stringify(added) === JSON.stringify({ ...added, ...visit }) ? visit : added
}

/** Returns where the return page sends the shopper: to the only URL, or to links if there are several. */
function returnOf(visit: Visit, start: Visit): Pick<Visit, 'return_url' | 'is_order_url' | 'links'> {
  if (start.is_order_url) {
    return { return_url: start.return_url, is_order_url: true, links: [] }
  }

  const urls = [...new Set([...urlsOf(visit), ...urlsOf(start)])].slice(0, MAX_LINKS)
  const isUnambiguous = urls.length < 2 && visit.launch === start.launch && visit.links.length === 0
  return isUnambiguous
    ? { return_url: urls[0] ?? null, is_order_url: false, links: [] }
    : { return_url: null, is_order_url: false, links: urls }
}

function urlsOf({ return_url, links }: Visit): string[] {
  return return_url === null ? links : [return_url]
}
