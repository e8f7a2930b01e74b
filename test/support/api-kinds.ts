import type { ChargeDialect } from '../../demo/sandbox/index.ts'
import type { WorldOptions } from './world.ts'
import { CHARGE_DIALECTS } from './charge-dialects.ts'
import { CHARGE } from './chargeable.ts'
import { PAYOUT_PATHS, PAYOUTS, RECIPIENT } from './payable.ts'
import type { PayoutType } from './payable.ts'
import { AIRTIME, airtime } from './spec-airtime.ts'

type End = [lastDigits: string, status: number, outcome: string, settled: boolean]

export interface ApiKind {
  name: string
  world?: WorldOptions
  path: string
  request: object
  one: string
  reference: string
  unknown: string
  row: string
  event: string
  post: string
  // With these changes, the server refuses a repeated request.
  change: object
  to(digits: string): object
  ends: End[]
  // The final outcome if the request is lost on its way to the gateway.
  lost: 'succeeded' | 'needs_attention'
  // The final outcome if the gateway has the request, and its answer is lost.
  answerLost: 'succeeded' | 'needs_attention'
  /**
   * The control request to the sandbox that reverses or refunds a completed transaction: its path below `/_sandbox`,
   * and its scenario. `status` and `outcome` are the transaction's new values.
   */
  back: [path: string, scenario: string, status: number, outcome: string]
}

function payoutKind(type: PayoutType, event: string, post: string): ApiKind {
  return {
    name: `a payout of type ${type}`,
    path: PAYOUT_PATHS[type],
    request: PAYOUTS[type],
    one: '/payouts/P-1',
    reference: 'P-1',
    unknown: 'unknown_payout',
    row: 'payout',
    event,
    post: `POST ${post}`,
    change: { payment_description: 'Something else' },
    to: (digits) => ({ [RECIPIENT[type]]: `25470000${digits}` }),
    ends: [
      ['9101', 701, 'failed', true],
      ['9008', 704, 'needs_attention', false],
      ['9009', 702, 'reversed', true],
      ['9010', 705, 'refunded', true],
    ],
    lost: 'succeeded',
    answerLost: 'succeeded',
    back: ['/payouts/P-1/play', 'reverse', 702, 'reversed'],
  }
}

function chargeKind(charges: ChargeDialect, partly: number): ApiKind {
  return {
    name: `a charge, ${charges}`,
    world: { charges },
    path: '/charges',
    request: CHARGE,
    one: '/charges/C-1',
    reference: 'C-1',
    unknown: 'unknown_charge',
    row: 'charge',
    event: 'charge',
    post: `POST ${CHARGE_DIALECTS[charges].path}`,
    change: { description: 'Something else' },
    to: (digits) => ({ payer_msisdn: `25470000${digits}` }),
    ends: [
      ['9001', 803, 'failed', true],
      ['9005', partly, 'needs_attention', false],
      ['9006', 801, 'succeeded', true],
      ['9008', 850, 'needs_attention', false],
      ['9009', 840, 'reversed', true],
      ['9010', 841, 'refunded', true],
    ],
    lost: 'needs_attention',
    // The flat dialect finds a charge only by the id that its answer names.
    answerLost: charges === 'flat' ? 'needs_attention' : 'succeeded',
    back: ['/checkouts/C-1/pay', 'refund', 841, 'refunded'],
  }
}

export const KINDS: ApiKind[] = [
  payoutKind('local', 'payout', '/v1/payouts/initiate'),
  payoutKind('transfer', 'payout', '/v1/payouts/imt/initiate'),
  payoutKind('b2b', 'b2b', '/v1/payouts/b2b/initiate'),
  chargeKind('spec', 802),
  // A single payment of a part of the amount is successful.
  chargeKind('flat', 801),
  {
    name: 'airtime',
    path: '/airtime',
    request: { ...airtime, recipients: airtime.recipients.slice(0, 1) },
    one: '/airtime/AIRTIME-1',
    reference: 'AIRTIME-1',
    unknown: 'unknown_airtime',
    row: 'airtime',
    event: 'airtime',
    post: `POST ${AIRTIME}`,
    change: { recipients: airtime.recipients },
    to: (digits) => ({ recipients: [{ phone_number: `25470000${digits}`, amount: '100' }] }),
    ends: [
      ['9101', 603, 'failed', true],
      ['9008', 604, 'needs_attention', false],
      ['9009', 605, 'reversed', true],
      ['9010', 606, 'refunded', true],
      ['9113', 602, 'succeeded', true],
    ],
    lost: 'needs_attention',
    answerLost: 'succeeded',
    back: ['/airtime/AIRTIME-1/254700000001/play', 'refund', 606, 'refunded'],
  },
]
