/** What people are told of an event about a payment, in words. Pure. */

import type { NoticeValues } from '../config/notices.ts'
import type { StoredNotice, Transaction } from '../store/store.ts'
import type { PaymentFacts } from '../transactions/kind.ts'

/** Lines that are sent as they are; `values` are what a template may name. */
export type Message = Pick<NoticeValues, 'id' | 'title' | 'text'> & { values: NoticeValues }

interface Words {
  /** What has happened. */
  title: string
  /** The outcome of a transaction to which this has just happened. */
  outcome: string
  /** What to do; absent if the title says all. */
  advice?: string
}

const WENT_BACK = 'The money went back to the payer.'

/**
 * The events that people are told of: money came, or went back. The others are for the merchant's backend, and for who
 * operates the server.
 */
const WORDS: Readonly<Record<string, Words>> = {
  'checkout.paid': { title: 'Paid', outcome: 'paid' },
  'checkout.paid_late': {
    title: 'Paid late',
    outcome: 'paid',
    advice: 'It had ended without money before.',
  },
  'checkout.partial': {
    title: 'Paid in part',
    outcome: 'partial',
    advice: 'Less was paid than was asked for.',
  },
  'checkout.review': {
    title: 'To be checked',
    outcome: 'review',
    advice: 'There may be money, and not as it was asked for: look before you hand anything over.',
  },
  'checkout.reversed': { title: 'Reversed', outcome: 'reversed', advice: WENT_BACK },
  'checkout.refunded': { title: 'Refunded', outcome: 'refunded', advice: WENT_BACK },
  'charge.succeeded': { title: 'Paid', outcome: 'succeeded' },
  'charge.reversed': { title: 'Reversed', outcome: 'reversed', advice: WENT_BACK },
  'charge.refunded': { title: 'Refunded', outcome: 'refunded', advice: WENT_BACK },
}

/** Returns whether people are told of events of this type. */
export const isTold = (type: string): boolean => Object.hasOwn(WORDS, type)

/**
 * Returns the message of a notice, from the transaction as it is now: what was erased meanwhile is not told.
 *
 * @param ends The last four digits of the payers' phone numbers.
 */
export function messageOf(
  { id, type }: Pick<StoredNotice, 'id' | 'type'>,
  { account, outcome }: Pick<Transaction, 'account' | 'outcome'>,
  facts: PaymentFacts,
  ends: readonly string[],
): Message {
  const words = WORDS[type] ?? { title: type, outcome }
  const { asked, received, currency } = facts
  const reference = onOneLine(facts.reference)
  const narration = onOneLine(facts.narration ?? '')
  const receipt = facts.receipts.map(onOneLine).join(', ')
  const phone_ends = ends.join(', ')
  const amount = words.outcome === 'partial' ? received : asked
  const sandbox = account === 'production' ? '' : 'TEST '
  const title = `${sandbox}${words.title}: ${amount} ${currency}, order ${reference}`
  const lines = [
    title,
    ...(words.advice === undefined ? [] : [words.advice]),
    ...(outcome === words.outcome ? [] : [`Meanwhile it is ${outcome}.`]),
    ...(amount === asked ? [] : [`Asked for: ${asked} ${currency}`]),
    ...(narration === '' ? [] : [`For: ${narration}`]),
    ...(receipt === '' ? [] : [`Receipt: ${receipt}`]),
    ...(phone_ends === '' ? [] : [`Phone number ends in: ${phone_ends}`]),
    ...(sandbox === '' ? [] : ['No real money has moved.']),
  ]
  const text = lines.join('\n')
  return {
    id,
    title,
    text,
    values: { id, title, text, amount, currency, reference, narration, receipt, phone_ends },
  }
}

/** The message with which somebody tries whether people are told. */
export function trialOf(id: string): Message {
  const title = 'Test: this is how you are told of a payment'
  const text = `${title}\nNobody has paid.`
  const none = { amount: '0', currency: 'KES', reference: 'TEST', narration: 'Test' }
  return { id, title, text, values: { id, title, text, ...none, receipt: 'TEST', phone_ends: '0000' } }
}

/** Texts of others begin no line of their own, and no header. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}
