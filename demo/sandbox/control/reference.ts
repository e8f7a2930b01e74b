// Describes the routes of `/_sandbox` and the faults, for `GET /_sandbox`, the page `/docs` and the tables in the README.

import type { FaultRequest } from '../faults.ts'

/** By method and path. */
const ROUTES = {
  'GET /_sandbox': '`{routes, faults}`: this table, and the faults below',
  'GET /_sandbox/clock': '`{now, speed}`',
  'POST /_sandbox/clock': '`{"speed": 60}`: sandbox seconds per real second; 0 stops the clock',
  'POST /_sandbox/clock/advance':
    '`{"seconds": 3600}`: moves the clock ahead and runs everything that becomes due',
  'POST /_sandbox/checkouts/{merchant_transaction_id}/pay':
    '`{"scenario"?, "amount"?, "msisdn"?, "method"?}`; returns the payload; for a charge use its `external_reference`',
  'POST /_sandbox/payouts/{payout_reference}/play':
    '`{"scenario"}`; returns the payout, or 202 for a future payout',
  'POST /_sandbox/airtime/{reference}/{phone_number}/play': '`{"scenario"}`; returns the recipient\'s entry',
  'GET /_sandbox/ledger?reference=': '`{accounts, totals, entries}`; each total is zero',
  'GET /_sandbox/merchants': '`{merchants}`: accounts, services and partners of each',
  'GET /_sandbox/accounts/{account_number}/statement':
    '`{account_number, statements}` with one statement, `{currency, balance, rows}`; also for partners',
  'GET /_sandbox/portal':
    '`{airtime_callback_url, charge_callback_url, b2c_callback_url}`: the settings of the portal',
  'POST /_sandbox/portal': 'changes these settings; null removes an address',
  'GET /_sandbox/scenarios': '`{scenarios}`, with their digits',
  'GET /_sandbox/callbacks?reference=':
    '`{callbacks}` with attempts, by `merchant_transaction_id`, `external_reference`, `payout_reference` or `reference`; the latest 1000',
  'POST /_sandbox/callbacks/{id}/replay': 'sends the same bytes again',
  'POST /_sandbox/callbacks/{id}/release': 'sends a callback that the fault `callback_hold` holds',
  'GET /_sandbox/requests': '`{requests}`: the latest 1000 of all merchants, without credentials and tokens',
  'GET /_sandbox/faults': '`{faults}`: those that are set',
  'POST /_sandbox/faults':
    '`{"fault", "route"?, "next"?, "probability"?, "seed"?}`: adds one; `{"route": "/v2/checkout/initiate", "fault": "answer_lost"}` cuts the next answer',
  'DELETE /_sandbox/faults': 'removes all',
  'POST /_sandbox/snapshots': '201, `{id, now, speed}`: remembers the present; at most 100',
  'POST /_sandbox/snapshots/{id}/restore': 'goes back to it, any number of times; `{now, speed}`',
  'POST /_sandbox/reset':
    'replaces everything, forgets the snapshots and restarts the seed; the clock keeps its time',
} as const

export const CONTROL_ROUTES = Object.entries(ROUTES).map(([route, does]) => {
  const [method = '', path = ''] = route.split(' ')
  return { method, path, does }
})

/** By its name: what a fault does. */
export const FAULTS = {
  latency: 'delays the request by `ms`',
  status: 'responds with `status`, a 4xx or 5xx',
  html: 'responds 200 with an HTML page',
  truncate: 'does the work and sends half of the response',
  reset: 'cuts the connection before any work is done',
  answer_lost: 'does the work, then cuts the connection',
  token_expired: 'refuses the token as expired',
  callback_drop: 'the callback is not sent',
  callback_delay: 'the callback is sent `ms` later',
  callback_duplicate: 'the callback is sent twice',
  callback_corrupt: 'the callback is truncated to half',
  callback_hold:
    'a breakpoint: the callback has the state `held` until it is released; `"next": 1000000` holds all',
  callback_reorder: 'held until another callback was sent, for at most 60 seconds',
} as const satisfies Record<FaultRequest['fault'], string>
