/** The command `find`, for somebody who stands before a customer with the code of an SMS. */

import { formatMoney } from 'gateway-checkout/words'

import { FoundPage } from '../api/payments.ts'
import { printable } from '../log/printable.ts'
import { callApi, refusalOfArguments } from './api.ts'
import { command, JSON_OPTION } from './command.ts'

import type { FoundPayment } from '../api/payments.ts'

const FILTERS = {
  receipt: { type: 'string', text: 'the whole code of the SMS' },
  order: { type: 'string', text: 'your reference of the order, charge, payout or airtime' },
  phone: { type: 'string', text: 'the whole number that has paid or was paid' },
  'phone-ends': { type: 'string', text: 'the last four digits of the number that has paid' },
  amount: { type: 'string', text: 'the amount, such as 1500' },
  day: { type: 'string', text: 'a day, or a range such as 2026-11-01..2026-11-30, in TIME_ZONE' },
} as const

export const find = command({
  text: 'find payments that the gateway has confirmed, the newest first: by one or several of the options',
  options: {
    ...FILTERS,
    cursor: { type: 'string', text: 'continue after the previous page' },
    ...JSON_OPTION,
  },
  examples: ['--receipt SKL4XR7M2P', '--phone-ends 0001 --amount 1500 --day 2026-11-21'],
  async run(shell, { json, ...filters }) {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(filters)) {
      query.set(name.replace('-', '_'), value)
    }

    const { body, problem } = await callApi(shell, 'GET', `/api/payments?${query.toString()}`)
    if (problem) {
      throw refusalOfArguments(problem, (path) =>
        path === 'query' ? 'The options' : `--${path.replace('_', '-')}`,
      )
    }

    const { items, next_cursor, reaches_since } = FoundPage.parse(body)
    shell.show({ json }, body, () => items.map(textOf).join('\n\n'))
    if (!json && reaches_since !== null) {
      shell.inform(`Numbers are found since ${reaches_since} only: a secret was replaced.`)
    }
    if (!json && next_cursor !== null) {
      shell.inform(`Next page: --cursor ${next_cursor}`)
    }
  },
})

const WAYS = { email: 'e-mail', http: 'NOTIFY_URL' } as const
const DELIVERIES = { told: 'told', waiting: 'not told yet', given_up: 'given up' } as const

/** Returns a payment in words that can be read out, and what a colleague may ask next. */
function textOf(payment: FoundPayment): string {
  const { kind, order, reference, amount, currency, moved, outcome, narration, paid_at } = payment
  const { receipt, operator, reason, told, notices } = payment
  const money = currency === '' ? amount : formatMoney(amount, currency, 'en').replaceAll('\u00A0', ' ')
  const direction = kind === 'payout' || kind === 'airtime' ? 'paid out' : 'paid'
  const happened = moved === 'paid' ? direction : `${direction}, and ${moved} since`
  // Who is told in messages and has no backend reads nothing of one.
  const events = told.filter(({ delivery }) => delivery !== 'no_receiver' || notices.length === 0)
  const lines = [
    `${money} ${happened}: ${order}${narration === null ? '' : `, ${narration}`}`,
    `  ${paid_at}  ${kind} ${reference}: ${outcome}`,
    [receipt && `receipt ${receipt}`, operator && `by ${operator}`].filter(Boolean).join(', '),
    reason,
    ...events.map(({ type, at, delivery }) => `${at}  your backend: ${type}, ${delivery.replace('_', ' ')}`),
    ...notices.map((notice) => `${notice.at}  message by ${WAYS[notice.way]}: ${describeNotice(notice)}`),
  ]
  return lines
    .filter((line) => line !== null && line !== '')
    .map((line, index) => printable(index < 2 ? String(line) : `  ${line}`))
    .join('\n')
}

function describeNotice({ type, delivery, failures }: FoundPayment['notices'][number]): string {
  const attempts = delivery === 'waiting' && failures > 0 ? `, attempts so far: ${failures}` : ''
  return `${type}, ${DELIVERIES[delivery]}${attempts}`
}
