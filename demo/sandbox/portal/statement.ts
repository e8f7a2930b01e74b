// The statement of a day as CSV: what came in and what left, of all accounts of a merchant. [spec: What the service does,
// 3] [assumed] The specification shows no statement. Amounts have a sign, and the gateway's fee is a column of its own.

import { canonical, subtract } from '../../../server/contract/decimal.ts'
import { receiptOf as payoutReceiptOf } from '../money-out/funds.ts'
import { receiptOf } from '../sessions/payment.ts'

import type { Settling } from '../money-out/funds.ts'
import type { World } from '../world.ts'
import type { Zone } from './zone.ts'

interface Line {
  at: number
  type: string
  reference: string
  receipt: string | null
  account: string
  amount: string
  fee: string
  currency: string
}

const HEADINGS = ['Time', 'Type', 'Reference', 'Receipt', 'Account', 'Amount', 'Fee', 'Currency']

/** Returns the statement of a day, such as 2026-11-21, in a time zone. */
export function statementOf(world: World, day: string, zone: Zone): string {
  const lines = [...paymentLines(world), ...payoutLines(world), ...airtimeLines(world)]
    .filter(({ at }) => zone.dateOf(at) === day)
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, type, reference, receipt, account, amount, fee, currency }) => [
      new Date(at).toISOString(),
      type,
      reference,
      receipt ?? '',
      account,
      amount,
      fee,
      currency,
    ])
  return [HEADINGS, ...lines].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

function paymentLines({ sessions }: World): Line[] {
  return [...sessions.values()].flatMap(({ id, history, service, instruction }) =>
    history.flatMap((entry) => {
      const kind = entry.kind === 'payment' ? entry.state.kind : null
      if (entry.kind !== 'payment' || (kind !== 'paid' && kind !== 'reversed' && kind !== 'refunded')) {
        return []
      }

      const { at, payment, state, amount } = entry
      const type = kind === 'paid' ? instruction.kind : `${instruction.kind} ${kind}`
      const { accountNumber: account, currency } = service
      const signed = canonical(kind === 'paid' ? amount : subtract('0', amount))
      const receipt = receiptOf({ ...payment, state })
      return [{ at, type, reference: id, receipt, account, amount: signed, fee: '0', currency }]
    }),
  )
}

function payoutLines({ payouts }: World): Line[] {
  return [...payouts.values()].flatMap((payout) => {
    const { amount, currency } = payout.funds
    const reference = payout.instruction.request.payout_reference
    return linesOf(payout, 'payout', reference, { amount, currency })
  })
}

function airtimeLines({ airtime }: World): Line[] {
  return [...airtime.values()].flatMap(({ reference, recipients }) =>
    [...recipients.values()].flatMap((recipient) =>
      linesOf(recipient, 'airtime', reference, recipient.funds.delivered),
    ),
  )
}

function linesOf(
  { history, funds }: Settling,
  what: string,
  reference: string,
  { amount, currency }: { amount: string; currency: string },
): Line[] {
  return history.flatMap(({ at, state }) => {
    const { kind } = state
    if (kind !== 'paid' && kind !== 'reversed' && kind !== 'refunded') {
      return []
    }

    const isPaid = kind === 'paid'
    const type = isPaid ? what : `${what} ${kind}`
    const signed = canonical(isPaid ? subtract('0', amount) : amount)
    const fee = isPaid ? canonical(funds.fee) : '0'
    const receipt = payoutReceiptOf({ state })
    return [{ at, type, reference, receipt, account: funds.accountNumber, amount: signed, fee, currency }]
  })
}

// A merchant chooses references: a spreadsheet must not run one as a formula.
function cellOf(text: string): string {
  const isFormula = /^[=+\-@\s]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text)
  const shown = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}
