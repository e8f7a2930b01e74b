/**
 * Every type of event for the merchant's backend, and when the event is sent. Transitions, `MerchantEvent`, the OpenAPI
 * webhooks and the README are derived from this list. Plain data without zod.
 */

/** Each event `type`, with the condition under which the event is sent. */
export const EVENTS = [
  {
    type: 'checkout.paid',
    when: 'The gateway reports 801, and reference, currency, account and sum agree. Fulfil the order. Accepting this event confirms the service of an order with splits.',
  },
  {
    type: 'checkout.paid_late',
    when: 'Paid as above, after the checkout had ended as unpaid, expired or partial.',
  },
  { type: 'checkout.overpaid', when: 'Sent beside `checkout.paid` when more was paid than was requested.' },
  {
    type: 'checkout.partial',
    when: 'Part of the amount was paid. Sent again when the part grows, and when the session ends with it.',
  },
  { type: 'checkout.unpaid', when: 'The session ended without money (803).' },
  { type: 'checkout.expired', when: 'The session expired without money (820).' },
  { type: 'checkout.reversed', when: 'Received money was reversed (840), up to a month later.' },
  { type: 'checkout.refunded', when: 'Received money was refunded (841), up to a month later.' },
  {
    type: 'checkout.review',
    when: 'The gateway reports 801 with other terms than requested; `discrepancy` names the difference. Review it before you fulfil the order.',
  },
  {
    type: 'checkout.needs_attention',
    when: 'The checkout is jammed at the operator, unknown to the gateway, or was opened with other terms than requested.',
  },
  { type: 'payout.succeeded', when: 'The payout was paid to the recipient (700).' },
  {
    type: 'payout.failed',
    when: 'The gateway rejected the payout (721) or it failed (701). Nothing was paid.',
  },
  { type: 'payout.reversed', when: 'The payout was reversed (702): the money is back in the float account.' },
  { type: 'payout.refunded', when: 'The payout was refunded (705): the money is back in the float account.' },
  { type: 'payout.needs_attention', when: 'A person has to check the payout; `attention` says why.' },
  { type: 'b2b.succeeded', when: 'The B2B payout was paid to the business (700).' },
  {
    type: 'b2b.failed',
    when: 'The gateway rejected the B2B payout (721) or it failed (701). Nothing was paid.',
  },
  {
    type: 'b2b.reversed',
    when: 'The B2B payout was reversed (702): the money is back in the float account.',
  },
  {
    type: 'b2b.refunded',
    when: 'The B2B payout was refunded (705): the money is back in the float account.',
  },
  { type: 'b2b.needs_attention', when: 'A person has to check the B2B payout; `attention` says why.' },
  {
    type: 'airtime.succeeded',
    when: 'A recipient received the airtime (602). One event for each recipient.',
  },
  {
    type: 'airtime.failed',
    when: 'The gateway rejected the request (721) or the recipient failed (603). One event for each recipient.',
  },
  { type: 'airtime.reversed', when: "A recipient's airtime was reversed (605)." },
  { type: 'airtime.refunded', when: "A recipient's airtime was refunded (606)." },
  { type: 'airtime.needs_attention', when: 'A person has to check a recipient; `attention` says why.' },
  {
    type: 'charge.succeeded',
    when: 'The gateway reports 801, and reference, currency, account and sum agree. Provide the service, then accept this event: that confirms the service.',
  },
  { type: 'charge.failed', when: 'The gateway refused the charge, or the payer did not pay (803, 820).' },
  { type: 'charge.reversed', when: 'Received money was reversed (840).' },
  { type: 'charge.refunded', when: 'Received money was refunded (841).' },
  {
    type: 'charge.needs_attention',
    when: 'A person has to check the charge, or the gateway refused the service confirmation; `attention` says why.',
  },
] as const satisfies readonly { type: `${string}.${string}`; when: string }[]

/** The `type` of an event, such as `checkout.paid`. */
export type EventType = (typeof EVENTS)[number]['type']

/** The subject of an event: the part of its type before the dot. */
export type EventSubject = EventType extends `${infer Subject}.${string}` ? Subject : never

/** The types of one subject: `EventTypeOf<'checkout'>` is `'checkout.paid' | 'checkout.paid_late' | …`. */
export type EventTypeOf<Subject extends EventSubject> = Extract<EventType, `${Subject}.${string}`>

export const EVENT_TYPES = EVENTS.map(({ type }) => type)
