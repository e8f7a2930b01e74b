/** The words in English, which the element contains; every other language has the same keys. */

/** A message to the shopper: a short title, and a detail that may be empty. */
export type Sentence = readonly [title: string, detail: string]

const MONEY_MAY_HAVE_LEFT = 'Money may have left your account. Please do not pay again.'
const IF_NOT_BACK = 'If it is not back in the account that paid, please contact the shop.'

/**
 * The words in English. The element contains these words, and shows them until the words in the shopper's language are
 * downloaded.
 *
 * Messages state only what the gateway has confirmed, because a payment may be in progress. Placeholders: `{asked}` is
 * the amount to pay, `{paid}` is the paid amount, `{rest}` is the missing or excess amount, and
 * `{payee}` is whom the shopper pays.
 */
export const en = {
  language: 'en',
  dir: 'ltr',

  pay: 'Pay',
  cancel: 'Cancel',
  retry: 'Try again',
  openPage: 'Go to the payment page',
  payRest: 'Pay the remaining {rest}',
  next: 'Continue',
  otherWay: 'Pay another way',
  operator: 'Mobile operator',
  /** Below a number while it is typed, on one line: `operatorAway` if its operator cannot ask anybody at present. */
  operatorOfNumber: 'Mobile operator: {operator}',
  operatorAway: '{operator} is unavailable.',
  otherNumber: 'Another number',
  change: 'Change',

  testMode: 'Test mode: no real money.',
  /** `{time}` is minutes and seconds. */
  timeLeft: '{time} left',
  /** The number is that of `WARNING_MS` in `sentence-choice.ts`, in every language. */
  endsSoon: 'Less than two minutes left to pay.',
  startAgain: 'After that, you can start again.',
  /** The number is that of `REPORT_LAG_MS` in `server/transactions/schedule.ts`, in every language. */
  ended: 'The time to pay is over. For two more minutes, we check whether you have paid.',
  reference: 'Reference:',
  order: 'Order:',
  receiptNumber: 'Receipt number:',
  paidTo: 'Paid to {payee}',
  contact: 'Contact the shop',
  share: 'Share',

  payerDetails: 'Your details for the payment',
  payer_name: 'Full name',
  payer_email: 'E-mail address',
  payer_msisdn: 'Mobile number',
  msisdnExample: 'For example +254\u00a0712\u00a0345\u00a0678',
  problem: {
    payer_name: 'Enter your full name.',
    payer_email: 'Enter your e-mail address, like name@example.com.',
    payer_msisdn: 'Enter your mobile number, with the country code.',
  },
  required: 'Please pay first.',

  sentence: {
    starting: ['Opening the payment page…', ''],
    asking: ['Asking your phone…', ''],
    checking: ['Checking your payment', 'Please do not pay again.'],
    blocked: ['Your browser blocked the payment page', 'Please open it here.'],
    waiting: ['Waiting for your payment', 'Pay on the payment page. We will confirm it here.'],
    open: ['Finish in the payment window', 'We will confirm the payment here.'],
    closed: ['Not confirmed yet', 'If you have paid, please wait. If not, go to the payment page.'],
    prompted: ['Check your phone', 'Enter your PIN if asked. We will confirm it here.'],
    paid: ['Paid', 'We have received your payment. Thank you.'],
    overpaid: ['Paid', 'We have received {paid}, which is {rest} too much. Please contact the shop.'],
    partial: ['{rest} to go', 'We have received {paid} of {asked}.'],
    partialEnded: ['Paid in part', 'We have received {paid}. {rest} was not paid. Please contact the shop.'],
    unpaid: ['That did not go through', 'No payment was confirmed. You can try again.'],
    unpaidEnded: ['Not paid', 'No payment was confirmed in time. You can try again.'],
    expired: ['The time to pay has ended', 'No payment was confirmed in time. You can try again.'],
    reversed: ['Payment reversed', `The payment of {asked} was reversed. ${IF_NOT_BACK}`],
    refunded: ['Refunded', `The payment of {asked} was refunded. ${IF_NOT_BACK}`],
    jammed: ['Your payment is delayed', MONEY_MAY_HAVE_LEFT],
    pending: ['Your payment is being processed', MONEY_MAY_HAVE_LEFT],
    review: ['Your payment is under review', 'The shop will check it. Please do not pay again.'],
  } satisfies Record<string, Sentence>,

  /** Why the last payment failed, by `payments[].reason`. For `unknown`, `unpaid` or `unpaidEnded` stands. */
  reason: {
    not_enough_money: ['Not enough money', 'Add money to your account, or pay from another one.'],
    wrong_pin: ['The PIN was wrong', 'Try again, with the PIN of your mobile money.'],
    cancelled: ['The request was cancelled', 'You can try again when you are ready.'],
    no_answer: ['The request was not answered', 'Unlock your phone, try again and enter your PIN.'],
    limit_reached: ['Account limit reached', 'Pay from another number, or ask your operator about it.'],
    number_not_registered: ['This number has no mobile money', 'Check the number, or use another one.'],
    operator_unavailable: ['Your operator is unavailable', 'Try again in a few minutes, or pay another way.'],
  } satisfies Record<string, Sentence>,
  /** A line of its own below the sentence of every payment that failed. */
  sms: 'If your SMS says that money left, do not pay again.',

  /**
   * What is said while the phone is asked: `{end}` is the last digits of its number. After a while, `quiet` or `dial`
   * says what to do if no message came, and `ends` that the phone is asked again only when this prompt has ended.
   */
  prompt: {
    phone: 'Enter your PIN on the phone ending {end}',
    asks: '{operator} asks for {asked} to {payee}.',
    quiet: 'No message? Unlock your phone and check its signal.',
    dial: 'No message? Dial {dial} and look for pending approvals.',
    ends: 'When this request has ended, you can ask again or use another number.',
  },
  offline:
    'You seem to be offline. We will check again when you are back. If you have paid, do not pay again.',
  troubled: 'No news yet. We are still checking.',

  /**
   * The message for each error code. `again` is for other errors that a retry may fix, `other` for all remaining
   * errors.
   */
  failure: {
    network: ['No connection to the payment service', 'Please check your connection.'],
    order_unknown: ['Order not found', 'Please contact the shop.'],
    order_invalid: ['This order is not valid', 'Please contact the shop.'],
    order_expired: ['This order has expired', 'Please order again.'],
    order_not_payable: ['This order can no longer be paid', 'Please contact the shop.'],
    order_changed: ['This order has changed', 'Another payment is open. Try later, or contact the shop.'],
    unknown_checkout: ['Payment not found', 'If you have paid, please contact the shop.'],
    amount_out_of_bounds: ['Your operator does not take this amount', 'Please pay another way.'],
    too_many_requests: ['Too many attempts', 'Please try again later.'],
    again: ['The payment service is not responding', 'Please try again later.'],
    other: ['You cannot pay here at the moment', 'Please contact the shop.'],
  } satisfies Record<string, Sentence>,

  /** `copied` and `notCopied` say it of a number of the receipt. */
  receipt: { title: 'Details', copy: 'Copy', copied: 'Copied', print: 'Print', notCopied: 'Not copied' },
  phone: {
    open: 'Continue on your phone',
    scan: 'Scan the code to open this payment on your phone. We will confirm it here.',
    code: 'QR code of the payment page',
  },
  overlay: {
    title: 'Continue in the payment window',
    to: 'to {payee}',
    show: 'Show the payment window',
    leave: 'Back to this page',
  },
  /** The text of a link on the BFF's pages. The element does not show this link. */
  backToShop: 'Back to the shop',
}

export type Words = typeof en
