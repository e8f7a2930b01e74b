/**
 * English: built in, the fallback of every other language, and the type of all of them.
 *
 * Sentences are for a shopper who may have money in flight. They say what is known, never what is hoped:
 * nothing here calls a payment failed before the gateway does, or says that nothing was charged.
 */
export const en = {
  language: 'en',

  pay: 'Pay',
  start: 'Continue to payment',
  cancel: 'Cancel',
  retry: 'Try again',
  startAgain: 'Start again',
  payRest: (amount: string) => `Pay the remaining ${amount}`,
  openPage: 'Open the payment page',
  returnToPage: 'Return to the payment page',
  opensInNewTab: 'opens in a new tab',

  opening: 'Opening the payment page…',
  testMode: 'Test mode',
  testModeDetail: 'No real money moves.',
  timeLeft: 'Time left to pay',
  timeUp: 'The time to pay is over. We are checking once more.',
  reference: 'Reference',
  paidOn: 'Paid on',
  method: 'Paid by',

  detailsTitle: 'Who is paying?',
  payer_name: 'Full name',
  payer_email: 'E-mail address',
  payer_msisdn: 'Mobile number',
  msisdnHint: 'The number you pay with.',
  msisdnHintInternational: 'With the country code, for example +254 700 000 001.',
  problem: {
    payer_name: 'Enter your full name, at most 100 characters.',
    payer_email: 'Enter an e-mail address, like name@example.com.',
    payer_msisdn: 'Enter a mobile number, with its country code if it is from abroad.',
  },
  required: 'Please pay before you continue.',

  checking: { title: 'Checking your payment', detail: 'One moment, we are asking for the latest news.' },
  blocked: {
    title: 'Your browser kept the payment page closed',
    detail: 'Open it yourself; we will wait here.',
  },
  waiting: {
    title: 'Waiting for your payment',
    detail: 'Finish on the payment page. We will confirm it here.',
  },
  prompted: {
    title: 'Confirm the payment on your phone',
    detail: 'If your phone asks for your PIN, enter it to approve. We will confirm the payment here.',
  },
  pageClosed: 'Not confirmed yet. If you have already approved the payment, just wait here.',
  paid: (amount: string) => ({ title: 'Paid', detail: `We have received ${amount}. Thank you.` }),
  overpaid: (amount: string, excess: string) => ({
    title: 'Paid',
    detail: `We have received ${amount}. That is ${excess} more than was asked; please contact the shop about it.`,
  }),
  partial: (paid: string, remaining: string) => ({
    title: 'Paid in part',
    detail: `We have received ${paid}. ${remaining} is still to be paid.`,
  }),
  partialEnded: (paid: string, remaining: string) => ({
    title: 'Paid in part, time is over',
    detail: `We have received ${paid}. ${remaining} was not paid in time. Please contact the shop.`,
  }),
  unpaid: {
    title: 'That try did not go through',
    detail: 'No payment has been confirmed yet. You can try again.',
  },
  unpaidEnded: {
    title: 'Not paid',
    detail: 'The time to pay is over and no payment was confirmed. You can start again.',
  },
  expired: { title: 'The time to pay is over', detail: 'No payment was made. You can start again.' },
  reversed: (amount: string) => ({
    title: 'Payment reversed',
    detail: `The payment of ${amount} was reversed. Please contact the shop.`,
  }),
  refunded: (amount: string) => ({ title: 'Refunded', detail: `The payment of ${amount} was refunded.` }),
  jammed: {
    title: 'Your payment needs a closer look',
    detail: 'It is held up at the payment service and somebody will sort it out. Please do not pay again.',
  },
  pending: {
    title: 'Your payment is on its way',
    detail: 'The payment service is still working on it. Please do not pay again.',
  },
  review: {
    title: 'We are checking this payment',
    detail: 'Something about it does not match the order. The shop will look at it; please do not pay again.',
  },

  offline: 'You seem to be offline. We will check again as soon as you are back.',
  troubled: 'We cannot get news just now. We are still checking.',

  failureTitle: 'The payment could not be started',
  failure: {
    connection: 'We could not reach the payment service. Check your connection and try again.',
    busy: 'The payment service is not answering just now. Please try again in a moment.',
    order: 'We could not find this order. Please go back to the shop and try again.',
    orderExpired: 'This order is no longer valid. Please go back to the shop and order again.',
    notPayable: 'This order can no longer be paid. Please contact the shop if you think it should be.',
    orderChanged:
      'This order has changed since you began to pay. Finish the first payment, or wait until it ends.',
    refused: 'The payment service did not accept this payment. Please contact the shop.',
    unknownCheckout: 'We could not find this payment. If you have paid, please contact the shop.',
    setUp: 'Paying is not possible here at the moment. Please contact the shop.',
  },
}

export type Words = typeof en
