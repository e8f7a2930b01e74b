export type Language = 'ar' | 'en' | 'fr' | 'pt' | 'sw'

/**
 * English: built in, the fallback of every other language, and the type of all of them.
 *
 * Sentences are for a shopper who may have money in flight. They say what is known, never what is hoped:
 * nothing here calls a payment failed before the gateway does, or says that nothing was charged. Holes are
 * `{asked}`, `{paid}` and `{rest}` (what is missing, or too much).
 */
export const en = {
  // Wider than it is, for the other languages are of this type, too.
  language: 'en' as Language,
  dir: 'ltr',

  pay: 'Pay',
  cancel: 'Cancel',
  retry: 'Try again',
  openPage: 'Go to the payment page',

  testMode: 'Test mode: no real money moves.',
  timeLeft: 'Time left to pay:',
  reference: 'Reference:',

  payer_name: 'Full name',
  payer_email: 'E-mail address',
  payer_msisdn: 'Mobile number',
  problem: {
    payer_name: 'Enter your full name.',
    payer_email: 'Enter your e-mail address, like name@example.com.',
    payer_msisdn: 'Enter your mobile number, with the country code.',
  },
  required: 'Please pay first.',

  sentence: {
    starting: ['Opening the payment page…', ''],
    checking: ['Checking your payment', ''],
    blocked: ['Your browser blocked the payment page', 'Please open it here.'],
    waiting: ['Waiting for your payment', 'We will confirm it here.'],
    closed: ['Not confirmed yet', 'If you have paid, please wait. If not, go to the payment page.'],
    prompted: ['Confirm the payment on your phone', 'Enter your PIN if it asks. We will confirm it here.'],
    paid: ['Paid', 'We have received {paid}. Thank you.'],
    overpaid: ['Paid', 'We have received {paid}, which is {rest} too much. Please contact the shop.'],
    partial: ['Paid in part', 'We have received {paid}. {rest} is still to be paid.'],
    partialEnded: [
      'Paid in part',
      'We have received {paid}. {rest} was not paid in time. Please contact the shop.',
    ],
    unpaid: ['That try did not go through', 'No payment is confirmed yet. You can try again.'],
    unpaidEnded: ['Not paid', 'No payment was confirmed in time. You can try again.'],
    expired: ['Too late to pay', 'No payment was confirmed in time. You can try again.'],
    reversed: ['Payment reversed', 'The payment of {asked} was reversed. Please contact the shop.'],
    refunded: ['Refunded', 'The payment of {asked} was refunded.'],
    jammed: ['Your payment is held up', 'We will confirm it here. Please do not pay again.'],
    pending: ['Your payment is on its way', 'We will confirm it here. Please do not pay again.'],
    review: ['Your payment is being checked', 'The shop will look at it. Please do not pay again.'],
  } satisfies Record<string, [title: string, detail: string]>,

  offline: 'You seem to be offline. We will keep checking.',
  troubled: 'No news yet. We are still checking.',

  failureTitle: 'The payment could not be started',
  /** By code; `again` for others that may pass, `other` for what only the merchant can mend. */
  failure: {
    network: 'We could not reach the payment service. Please check your connection.',
    order_unknown: 'We could not find this order. Please contact the shop.',
    order_expired: 'This order can no longer be paid. Please order again.',
    order_not_payable: 'This order can no longer be paid. Please contact the shop.',
    order_changed: 'This order has changed. Please try again later.',
    unknown_checkout: 'We could not find this payment. If you have paid, please contact the shop.',
    again: 'The payment service is not answering. Please try again in a moment.',
    other: 'You cannot pay here at the moment. Please contact the shop.',
  },
}

export type Words = typeof en & { receipt?: Partial<ReceiptWords> }

/** What the buttons of a receipt say: fetched with them, in every language. */
export interface ReceiptWords {
  copy: string
  copied: string
  print: string
}
