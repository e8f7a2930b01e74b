/** What people are told of an event about a payment, in words. Pure. */

import { compare } from '../contract/decimal.ts'

import type { NoticeValues } from '../config/notice-template.ts'
import type { StoredNotice } from '../store/notices.ts'
import type { Transaction } from '../store/transactions.ts'
import type { PaymentFacts } from '../transactions/kind.ts'

/** Lines that are sent as they are; `values` are what a template may name. */
export type Message = Pick<NoticeValues, 'id' | 'title' | 'text'> & { values: NoticeValues }

interface Words {
  /** What has happened. */
  title: string
  /** The outcome of a transaction to which this has just happened. */
  outcome: string
  /** The money that it is about: what came, what went back, or what is held now. */
  about: 'came' | 'went' | 'held'
  /** What to do; absent if the title says all. */
  advice?: string
}

const WENT_BACK = 'Money went back to the payer.'
const REVERSED: Omit<Words, 'outcome'> = { title: 'Reversed', about: 'went', advice: WENT_BACK }
const REFUNDED: Omit<Words, 'outcome'> = { title: 'Refunded', about: 'went', advice: WENT_BACK }
const PAID_AGAIN: Omit<Words, 'outcome'> = { title: 'Paid again', about: 'came' }

/**
 * The events that people are told of: money came, or went back. The others are for the merchant's backend, and for who
 * operates the server.
 */
const WORDS: Readonly<Record<string, Words>> = {
  'checkout.paid': { title: 'Paid', outcome: 'paid', about: 'came' },
  'checkout.paid_late': {
    title: 'Paid late',
    outcome: 'paid',
    about: 'came',
    advice: 'The payment had ended before without all of its money.',
  },
  'checkout.partial': {
    title: 'Paid in part',
    outcome: 'partial',
    about: 'came',
    advice: 'Less was paid than was asked for.',
  },
  'checkout.overpaid': { ...PAID_AGAIN, outcome: 'paid' },
  'checkout.review': {
    title: 'To be checked',
    outcome: 'review',
    about: 'held',
    advice: 'There may be money, and not as it was asked for: look before you hand anything over.',
  },
  'checkout.reversed': { ...REVERSED, outcome: 'reversed' },
  'checkout.refunded': { ...REFUNDED, outcome: 'refunded' },
  'charge.succeeded': { title: 'Paid', outcome: 'succeeded', about: 'came' },
  'charge.overpaid': { ...PAID_AGAIN, outcome: 'succeeded' },
  'charge.reversed': { ...REVERSED, outcome: 'reversed' },
  'charge.refunded': { ...REFUNDED, outcome: 'refunded' },
}

/** The outcomes as a person says them. */
const STANDS: Readonly<Record<string, string>> = {
  waiting: 'not paid',
  pending: 'being paid',
  sending: 'being paid',
  paid: 'paid',
  succeeded: 'paid',
  partial: 'paid in part',
  unpaid: 'not paid',
  expired: 'not paid',
  failed: 'not paid',
  reversed: 'reversed',
  refunded: 'refunded',
  review: 'to be checked',
  jammed: 'to be checked',
  needs_attention: 'to be checked',
}

/** Returns whether people are told of events of this type. */
export const isTold = (type: string): boolean => Object.hasOwn(WORDS, type)

type Notice = Pick<StoredNotice, 'id' | 'type' | 'came' | 'went' | 'held'>

/**
 * Returns the message of a notice: the money of its event, and what else the transaction has now. What was erased
 * meanwhile is not told.
 *
 * @param ends The last four digits of the payers' phone numbers.
 */
export function messageOf(
  notice: Notice,
  { account, outcome }: Pick<Transaction, 'account' | 'outcome'>,
  facts: PaymentFacts,
  ends: readonly string[],
): Message {
  const { id, held } = notice
  const { asked, received, currency: askedCurrency, paid_currency: currency } = facts
  const words = wordsOf(notice, asked)
  const amount = notice[words.about]
  const reference = onOneLine(facts.reference)
  const narration = onOneLine(facts.narration ?? '')
  const receipt = facts.receipts.map(onOneLine).join(', ')
  const phone_ends = ends.join(', ')
  const sandbox = account === 'production' ? '' : 'TEST '
  const isAsAsked = (isNone(held) ? amount : held) === asked && currency === askedCurrency
  const isReturn = words.about === 'went'
  const inAll = isReturn ? 'Still paid' : 'Paid in all'
  const isAllSaid = isNone(held) || (held === amount && !isReturn)
  const sum = isNone(amount) ? '' : `${amount} ${currency}, `
  const title = `${sandbox}${words.title}: ${sum}order ${reference}`
  const lines = [
    title,
    ...(words.advice === undefined ? [] : [words.advice]),
    ...(outcome === words.outcome ? [] : [`Meanwhile it is ${STANDS[outcome] ?? outcome}.`]),
    ...(isAllSaid ? [] : [`${inAll}: ${held} ${currency}`]),
    ...(outcome !== words.outcome || received === held ? [] : [`Meanwhile, in all: ${received} ${currency}`]),
    ...(isAsAsked ? [] : [`Asked for: ${asked} ${askedCurrency}`]),
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

/** Returns what has happened to the money of an event, in words. */
function wordsOf({ type, came, went, held }: Notice, asked: string): Words {
  const words = WORDS[type] ?? { title: type, outcome: '', about: 'held' }
  if (words.about !== 'came') {
    return words
  }

  // Of what is paid, too much went back.
  if (isNone(came) && !isNone(went)) {
    return { ...words, ...REFUNDED, title: 'Went back' }
  }
  // What came was told before: as a part that is not followed by others, or as money that had to be checked.
  if (isNone(came)) {
    const isPart = words.outcome === 'partial'
    return { ...words, about: 'held', ...(isPart && { title: 'Ended, and paid in part' }) }
  }

  // A seller who reads "Paid" before a part of the sum would wait for more.
  const isRest = words.title === 'Paid' && compare(came, held) < 0
  const isExcess = compare(held, asked) > 0
  return {
    ...words,
    ...(isRest && { title: 'Rest paid' }),
    ...(isExcess && { advice: 'More was paid than was asked for.' }),
  }
}

function isNone(amount: string): boolean {
  return compare(amount, '0') <= 0
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
