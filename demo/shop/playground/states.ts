import type { CheckoutState } from '../../../widget/session/state.ts'
import type { Answer, Situation } from './situation.ts'
import { contradicted, KNOWN, payment, received, refused, reported, tried } from './situation.ts'

const UNKNOWN = { 'payer-name': null, 'payer-email': null, 'payer-msisdn': null }
const IN_POPUP = { ...KNOWN, launch: 'popup' }

const OPENED: Answer = { view: {} }
const PART = received(802, 'partial', '600')
const WRONG_PIN = tried(803, 'unpaid', payment(701, 'failed'))

export const STATES: Record<CheckoutState, Record<string, Situation>> = {
  idle: {
    ready: {
      label: 'Ready',
      tells: 'Nothing has happened yet. Press the button, and a stand-in for the payment page opens.',
      by: 'itself',
      answers: [OPENED],
    },
    disabled: {
      label: 'Disabled',
      tells: 'The page allows no payment yet.',
      by: 'itself',
      needs: { disabled: 'on' },
      answers: [OPENED],
    },
  },
  details: {
    nobody: {
      label: 'Nobody known',
      tells: 'The page did not say who pays, so the tag asks, before it asks the payment server.',
      by: 'press',
      needs: UNKNOWN,
      answers: [OPENED],
    },
    mistaken: {
      label: 'Sent empty',
      tells: 'The form was sent with nothing in it. Each field says what is wrong.',
      by: 'press',
      needs: UNKNOWN,
      submits: true,
      answers: [OPENED],
    },
    phone: {
      label: 'Phone missing',
      tells: 'Only what is missing is asked for.',
      by: 'press',
      needs: { ...KNOWN, 'payer-msisdn': null },
      answers: [OPENED],
    },
    refused: {
      label: 'Phone refused',
      tells:
        'The payment server could not use the phone number that the page gave, so the tag asks for another.',
      by: 'press',
      needs: { ...IN_POPUP, 'payer-msisdn': '+254 70 000' },
      popup: 'open',
      answers: [{ problem: { status: 422, code: 'invalid_request', errors: [{ path: 'payer_msisdn' }] } }],
    },
  },
  starting: {
    asked: {
      label: 'Asking',
      tells: 'The payment server has been asked and is silent. After half a minute the tag gives up.',
      by: 'press',
      needs: KNOWN,
      popup: 'open',
      answers: ['silent'],
    },
  },
  blocked: {
    popup: {
      label: 'Pop-up blocked',
      tells: 'The browser let no pop-up through. A link that the shopper follows is never blocked.',
      by: 'press',
      needs: IN_POPUP,
      popup: 'blocked',
      answers: [OPENED],
    },
  },
  waiting: {
    away: {
      label: 'Page not open',
      tells: 'There is a checkout and no payment page: after a reload, or when a shopper came back.',
      by: 'checkout-id',
      answers: [OPENED],
    },
    open: {
      label: 'Pop-up open',
      tells: 'The payment page is open beside this one. The button brings it to the front.',
      by: 'press',
      needs: IN_POPUP,
      popup: 'open',
      answers: [OPENED],
    },
    closed: {
      label: 'Pop-up closed',
      tells: 'A second ago the pop-up closed. That proves nothing about the money.',
      by: 'press',
      needs: IN_POPUP,
      popup: 'closed',
      answers: [OPENED],
    },
    prompted: {
      label: 'Prompt sent',
      tells: 'The shopper’s phone asks for the PIN.',
      by: 'checkout-id',
      answers: [{ view: { status: 803, payments: [payment(703, 'waiting')] } }],
    },
    checking: {
      label: 'Not answered',
      tells: 'The tag took up a checkout, and the payment server has not answered yet.',
      by: 'checkout-id',
      answers: ['silent'],
    },
    offline: {
      label: 'Offline',
      tells: 'The network went away. Nothing is asked until it is back.',
      by: 'checkout-id',
      isOffline: true,
      answers: [OPENED],
    },
    trouble: {
      label: 'Trouble',
      tells: 'A second later the payment server answered 503. What was known stays, with a note.',
      by: 'checkout-id',
      answers: [OPENED, { problem: { status: 503, code: 'store_unavailable', retryable: true } }],
    },
    test: {
      label: 'Test mode',
      tells: 'The payment server speaks to the gateway’s sandbox environment, and the tag says so.',
      by: 'checkout-id',
      answers: [{ view: { environment: 'sandbox' } }],
    },
  },
  paid: {
    full: reported('In full', 'The gateway’s 801, and everything agrees.', true, received(801, 'paid')),
    excess: reported(
      'Too much',
      'More came than was asked. It is paid, with the discrepancy “excess”.',
      true,
      {
        ...received(801, 'paid', '1700'),
        discrepancy: 'excess',
      },
    ),
    test: reported('Test mode', 'Paid in the gateway’s sandbox environment: no money moved.', true, {
      ...received(801, 'paid'),
      environment: 'sandbox',
    }),
  },
  partial: {
    open: reported('In time', 'A part has come, and the rest can still be paid.', false, PART),
    ended: reported('Too late', 'A part has come, and the time for the rest is over.', true, PART),
  },
  unpaid: {
    open: reported(
      'In time',
      'A wrong PIN, or too little in the wallet. It can be tried again.',
      false,
      WRONG_PIN,
    ),
    ended: reported('Too late', 'The session ended, and no try had gone through.', true, WRONG_PIN),
  },
  expired: {
    session: reported('Session over', 'Nobody paid in time.', true, { status: 820, outcome: 'expired' }),
  },
  reversed: {
    taken: reported(
      'Taken back',
      'The money was received, and the operator took it back.',
      true,
      tried(840, 'reversed', payment(702, 'reversed')),
    ),
  },
  refunded: {
    given: reported(
      'Given back',
      'The money was received, and the merchant gave it back.',
      true,
      tried(841, 'refunded', payment(705, 'refunded')),
    ),
  },
  jammed: {
    held: reported(
      'Held up',
      'The gateway cannot say what became of the money. Nobody should pay twice.',
      false,
      tried(850, 'jammed', payment(704, 'jammed')),
    ),
  },
  pending: {
    coming: reported(
      'On its way',
      'The gateway has the payment and has not finished with it.',
      false,
      tried(851, 'pending', payment(703, 'waiting')),
    ),
  },
  review: {
    short: contradicted('short', 'The gateway calls it paid, and less came than was asked.', '1400'),
    amount: contradicted('amount', 'The gateway calls it paid, and names another amount asked.'),
    currency: contradicted('currency', 'The gateway calls it paid, in another currency.'),
    account: contradicted('account', 'The gateway calls it paid, into another account.'),
    reference: contradicted('reference', 'The gateway calls it paid, under another reference.'),
  },
  error: {
    network: {
      label: 'No network',
      tells: 'The payment server could not be reached. Nothing was begun, so it can be tried again.',
      by: 'press',
      needs: KNOWN,
      popup: 'open',
      answers: ['broken'],
    },
    unavailable: refused('The gateway does not answer. Nothing was begun, so it can be tried again.', {
      status: 503,
      code: 'gateway_unavailable',
      retryable: true,
    }),
    unknown: refused('Nobody knows this order.', { status: 404, code: 'order_unknown' }),
    expired: refused('The signed order is too old.', { status: 409, code: 'order_expired' }),
    closed: refused('The order was paid elsewhere, or withdrawn.', {
      status: 409,
      code: 'order_not_payable',
    }),
    changed: refused('The order changed, and its first payment page can still be paid.', {
      status: 409,
      code: 'order_changed',
    }),
    refused: refused('The gateway accepts no such checkout.', { status: 502, code: 'gateway_refused' }),
    origin: refused('The payment server does not serve this page.', {
      status: 403,
      code: 'origin_not_allowed',
    }),
    checkout: {
      ...refused('The page named a checkout that nobody knows.', { status: 404, code: 'unknown_checkout' }),
      by: 'checkout-id',
    },
    tag: {
      label: 'no_order',
      tells: 'The tag does not say what is paid for.',
      by: 'press',
      needs: { ...KNOWN, order: null },
      answers: ['silent'],
    },
  },
}

export const SITUATIONS: ReadonlyMap<string, Situation> = new Map(
  Object.entries(STATES).flatMap(([state, ways]) =>
    Object.entries(ways).map(([name, situation]) => [`${state}.${name}`, situation]),
  ),
)
