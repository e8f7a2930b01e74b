/** Defines the schemas of `/api/payments` and `/api/days`: what finds a payment, and what a day consists of. */

import { z } from 'zod'

import { field, text, textOrNull } from '../contract/openapi-field.ts'
import { currencyField } from './tracked.ts'

const zoned = (description: string) =>
  text(`${description} ISO 8601, with the offset of TIME_ZONE; UTC without it.`, '2026-11-21T12:04:00+03:00')

/** The filters of a search. One is needed; of several, all count. */
export const PaymentFilters = z.object({
  receipt: field(z.string().optional(), 'The whole code of the SMS, in any case.', 'SKL4XR7M2P'),
  order: field(z.string().optional(), 'Your reference of the order, charge, payout or airtime.', 'A-1001'),
  phone: field(
    z.string().optional(),
    'The whole number that has paid or was paid, with its country code or as DEFAULT_COUNTRY writes it.',
    '254700000001',
  ),
  phone_ends: field(z.string().optional(), 'The last four digits of the number that has paid.', '0001'),
  amount: field(z.string().optional(), 'The amount, as decimal text in major units of its currency.', '1500'),
  day: field(
    z.string().optional(),
    'A day in TIME_ZONE, or a range of at most 92 days.',
    '2026-11-21',
    '2026-11-01..2026-11-30',
  ),
})
export type PaymentFilters = z.output<typeof PaymentFilters>

const Told = z.object({
  type: text('Type of the event.', 'checkout.paid'),
  at: zoned('When it happened.'),
  delivery: field(
    z.enum(['waiting', 'delivered', 'no_receiver', 'given_up']),
    'Whether your backend has accepted it, as in /api/events.',
  ),
})

const Notice = z.object({
  type: text('Type of the event.', 'checkout.paid'),
  at: zoned('When it happened.'),
  way: field(z.enum(['email', 'http']), 'email: NOTIFY_SMTP_URL. http: NOTIFY_URL.'),
  delivery: field(
    z.enum(['waiting', 'told', 'given_up']),
    'waiting: not sent yet. told: sent, and taken. given_up: nobody took it, or its reader is not configured any more.',
  ),
  failures: field(z.int(), 'Number of times that it was not taken.', 0),
})

export const FoundPayment = z
  .object({
    kind: field(
      z.enum(['checkout', 'charge', 'payout', 'airtime']),
      'checkout and charge: money that came in. payout and airtime: money that went out.',
    ),
    order: text('Your reference of the order, charge, payout or airtime.', 'A-1001'),
    reference: text("The gateway's reference.", '7f9c2ba4-e88f-427d-9161-9b2b4a5c1e07'),
    narration: textOrNull(
      'What it was paid for. Null where it is not known, and once it was erased.',
      'Two kangas',
    ),
    amount: text('Amount of this payment, as decimal text in major units of currency.', '1500'),
    currency: currencyField,
    moved: field(
      z.enum(['paid', 'reversed', 'refunded']),
      'What last became of this payment. reversed and refunded: the money went back.',
    ),
    outcome: text('Outcome of the order, charge, payout or recipient, as its own route names it.', 'paid'),
    reason: textOrNull(
      'Why the outcome needs a look, as a sentence. Null if it does not.',
      'More was paid than was asked.',
    ),
    operator: textOrNull('Payment method or destination. Null when not reported.', 'MOMO_KEN'),
    service: textOrNull('Service code. Null when not known.', 'CHECKOUT-KES'),
    receipt: textOrNull("The operator's receipt, in capitals. Null when not reported.", 'SKL4XR7M2P'),
    paid_at: zoned('When it was paid.'),
    told: field(z.array(Told), 'What your backend was told, oldest first.'),
    notices: field(z.array(Notice), 'The messages to people, each to one reader, oldest first.'),
  })
  .meta({ id: 'FoundPayment', description: 'A payment that the gateway has confirmed.' })
export type FoundPayment = z.output<typeof FoundPayment>

export const FoundPage = z
  .object({
    items: field(z.array(FoundPayment), 'At most 50 payments, the newest first.'),
    next_cursor: textOrNull('Cursor of the next page. Null on the last page.', 'WzE3OTUyNTE2MDAwMDAsImEiXQ'),
    reaches_since: textOrNull(
      'Since when numbers are found: older payments were stored with a GATEWAY_CONSUMER_SECRET that was replaced. Null if all are found, or none was asked for.',
      '2026-11-21T12:04:00+03:00',
    ),
  })
  .meta({ id: 'FoundPage', description: 'Payments that were found.' })
export type FoundPage = z.output<typeof FoundPage>

const decimalSum = (description: string) => text(`${description} Decimal text.`, '1500')
const sums = {
  count: field(z.int(), 'Number of movements, also of those that failed.', 1),
  received: decimalSum('What payers paid.'),
  returned: decimalSum('What of payments was reversed or refunded.'),
  paid_out: decimalSum("Payouts and airtime, without the gateway's fees."),
  came_back: decimalSum('What of payouts and airtime was reversed or refunded.'),
  net: decimalSum('What all this changes: received − returned − paid_out + came_back.'),
}

export const DayOfPayments = z
  .object({
    day: text('The day.', '2026-11-21'),
    time_zone: text('TIME_ZONE.', 'Africa/Nairobi'),
    closes_at: zoned(
      'When the day closes. Nothing changes it afterwards: what becomes known later is of a later day.',
    ),
    sums: field(z.array(z.object({ currency: currencyField, ...sums })), 'Sums of each currency.'),
    totals: field(
      z.array(
        z.object({
          currency: currencyField,
          operator: textOrNull('Payment method or destination.', 'MOMO_KEN'),
          service: textOrNull('Service code.', 'CHECKOUT-KES'),
          ...sums,
        }),
      ),
      'Sums of each currency, operator and service.',
    ),
    disagreements: field(
      z.array(
        z.object({
          kind: FoundPayment.shape.kind,
          order: FoundPayment.shape.order,
          references: field(z.array(z.string()), "The gateway's references."),
          why: field(
            z.array(
              z.object({
                code: field(
                  z.enum(['unacknowledged', 'unreceived', 'amount', 'late', 'twice', 'corrected', 'alarm']),
                  'unacknowledged: your backend has not accepted an event. unreceived: you have no backend, and no message about it was taken. amount: another amount than asked. late: paid after its end. twice: a receipt or an order that was paid twice. corrected: what was booked on a closed day has changed. alarm: a person has to look, whatever day it began.',
                ),
                detail: text('What is wrong, as a sentence.', 'More was paid than was asked.'),
              }),
            ),
            'What does not agree.',
          ),
        }),
      ),
      'What does not agree, one item for each order.',
    ),
  })
  .meta({ id: 'DayOfPayments', description: 'A day of payments.' })
export type DayOfPayments = z.output<typeof DayOfPayments>
