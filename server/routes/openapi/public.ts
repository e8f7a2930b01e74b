/** The addresses that need no key: for shoppers, for the gateway and for operators. */

import type { Operation } from './operation.ts'
import { json } from './operation.ts'

const CHECKOUT_ID = { checkout_id: 'Of the checkout; knowing it is the right to watch it.' }

export const PUBLIC_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/checkout/initiate',
    id: 'initiateCheckout',
    tag: 'Checkout',
    summary: 'Start the checkout of an order, or take up the one that is there',
    description: 'With Accept: application/json the view; else a redirection to the hosted page.',
    needsKey: false,
    body: {
      schema: 'InitiateForm',
      types: ['application/json', 'application/x-www-form-urlencoded'],
      example: {
        order: 'demo-1500-kangas',
        payer_name: 'Asha Otieno',
        payer_email: 'asha@example.com',
        payer_msisdn: '0700000001',
      },
    },
    answers: [
      json(201, 'Begun.', 'CheckoutView'),
      json(200, 'The same order again.', 'CheckoutView'),
      { status: 303, description: 'To the hosted page, for a plain form.' },
    ],
    problems: [
      'invalid_request',
      'too_large',
      'origin_not_allowed',
      'return_url_not_allowed',
      'order_unknown',
      'order_invalid',
      'order_expired',
      'order_not_payable',
      'order_changed',
      'charges_off',
      'orders_unavailable',
      'amount_not_whole',
      'currency_not_supported',
      'gateway_refused',
      'gateway_contradiction',
      'gateway_unavailable',
      'store_unavailable',
    ],
  },
  {
    method: 'GET',
    path: '/checkout/status/:checkout_id',
    id: 'getCheckoutStatus',
    tag: 'Checkout',
    summary: 'See how a checkout stands, as its shopper',
    description: 'Retry-After says when to ask again; with If-None-Match only what is new is answered.',
    needsKey: false,
    parameters: CHECKOUT_ID,
    answers: [json(200, 'As it stands.', 'CheckoutView'), { status: 304, description: 'Nothing is new.' }],
    problems: ['unknown_checkout', 'store_unavailable'],
  },
  {
    method: 'GET',
    path: '/checkout/status/:checkout_id/stream',
    id: 'followCheckout',
    tag: 'Checkout',
    summary: 'Follow a checkout as it changes',
    needsKey: false,
    parameters: CHECKOUT_ID,
    answers: [
      {
        status: 200,
        description:
          'Events named "status" with the view as data and its version as id, until it is settled; and "beat", which is empty, at once and every 15 seconds.',
        content: { type: 'text/event-stream' },
      },
      { status: 204, description: 'Settled, and Last-Event-ID says that the end is known.' },
    ],
    problems: ['unknown_checkout', 'too_many_streams', 'store_unavailable'],
  },
  {
    method: 'GET',
    path: '/checkout/return/:checkout_id',
    id: 'returnFromHostedPage',
    tag: 'Checkout',
    summary: 'Bring a shopper back from the hosted page',
    needsKey: false,
    parameters: CHECKOUT_ID,
    answers: [
      { status: 303, description: "To the merchant's page." },
      {
        status: 200,
        description: 'A page with the outcome; in a pop-up it closes itself.',
        content: { type: 'text/html' },
      },
    ],
    problems: ['unknown_checkout', 'store_unavailable'],
  },
  {
    method: 'POST',
    path: '/callbacks/:chapter/:token',
    id: 'receiveCallback',
    tag: 'Callbacks',
    summary: 'Hint that something has news',
    description:
      'The body changes nothing: the specification shows no signature, so the gateway is asked. Delivered again, it does no harm.',
    needsKey: false,
    parameters: {
      chapter: {
        description: 'What it is about.',
        values: ['checkout', 'payouts', 'b2b', 'charges', 'airtime'],
      },
      token: 'The unguessable part of the callback_url, or of the address in the merchant portal.',
    },
    answers: [json(200, 'Durably noted.', 'Received')],
    problems: ['unauthorized', 'unknown_callback', 'store_unavailable'],
  },
  {
    method: 'GET',
    path: '/health/live',
    id: 'isLive',
    tag: 'Health',
    summary: 'Whether the process runs',
    needsKey: false,
    answers: [json(200, 'It does.', 'Health')],
    problems: [],
  },
  {
    method: 'GET',
    path: '/health/ready',
    id: 'isReady',
    tag: 'Health',
    summary: 'Whether a payment could be stored',
    needsKey: false,
    answers: [json(200, 'It could.', 'Health')],
    problems: ['store_unavailable'],
  },
]
