/** [spec: Payout acknowledgement; Payout result; B2B callback and status payload; Payout payment status; Errors] */

import { expect } from 'vitest'
import {
  amountOf,
  decimalText,
  echoed,
  fieldsOf,
  masked,
  moment,
  number,
  object,
  oneOf,
  text,
} from '../check.ts'
import { INITIATE, checkoutRequest, needsControl } from '../checkout.ts'
import {
  INITIATE_PAYOUT,
  PAYOUT_KINDS,
  acceptedPayout,
  paymentStatusOf,
  payoutRequest,
  payoutTable,
  play,
  resultOf,
  send,
  statusPath,
} from '../payout.ts'
import type { Check, Sample } from '../check.ts'
import type { Gateway } from '../gateway.ts'
import type { PayoutKind } from '../payout.ts'

/** What the operator does until a payout has each status. */
const STATUSES: Record<number, { means: string; scenarios: string[] }> = {
  700: { means: 'processed successfully', scenarios: ['success'] },
  701: { means: 'failed', scenarios: ['decline'] },
  702: { means: 'reversed', scenarios: ['success', 'reverse'] },
  704: { means: 'jammed', scenarios: ['jam'] },
  705: { means: 'refunded', scenarios: ['success', 'refund'] },
}

/** What makes the gateway refuse with each code, where no control is needed. */
const REFUSALS: Record<string, { kind: PayoutKind; fields: object }> = {
  INSUFFICIENT_BALANCE: {
    kind: 'local',
    fields: { sender_amount: '999999999', recipient_amount: '999999999' },
  },
  SERVICE_NOT_ALLOWED: { kind: 'local', fields: { service_code: 'NO-SUCH-SERVICE' } },
  INVALID_DESTINATION_TYPE: { kind: 'local', fields: { destination_type: 'PIGEON' } },
  INVALID_PHONE_NUMBER: { kind: 'local', fields: { recipient_phone_number: 'not a number' } },
  INVALID_PAYMENT_METHOD: { kind: 'b2b', fields: { payment_method: 'CASH' } },
  INVALID_WALLET: { kind: 'local', fields: { destination_name: 'NO_SUCH_WALLET' } },
}

const RESULT = 'Payout result'
const B2B_RESULT = 'B2B callback and status payload'
const BANK = { destination_type: 'BANK', destination_name: 'Bank of Pwani', recipient_bank_code: '01' }

export const payoutResultChecks: Check[] = [
  ...PAYOUT_KINDS.map((kind): Check => ({
    rows: [
      `Endpoints / POST ${INITIATE_PAYOUT[kind]}`,
      'Endpoints / 6',
      'Payout acknowledgement codes / 720',
      'Payout acknowledgement / payout_reference',
      'Payout acknowledgement / response_code',
      'Payout acknowledgement / response_description',
      'Payout acknowledgement / error_code',
    ],
    fact: `a ${kind} payout is acknowledged with 720 and its reference, before it is processed`,
    async run(gateway) {
      const { sent, got } = await send(kind, gateway)
      expect(got).toMatchObject({
        payout_reference: sent.payout_reference,
        response_code: 720,
        response_description: expect.stringMatching(/\S/),
      })
      expect(got).not.toHaveProperty('error_code')
      expect(paymentStatusOf(await resultOf(kind, gateway, sent))).toBe(703)
    },
  })),
  {
    rows: [
      'Endpoints / 6',
      'Payout acknowledgement codes / 721',
      'Payout acknowledgement / error_code',
      'Payout acknowledgement / payout_reference',
      'Payout acknowledgement / response_code',
      'Payout acknowledgement / response_description',
    ],
    fact: 'a rejection carries 721, a description and an error_code, and no money moves',
    async run(gateway) {
      await send('local', gateway)
      const sent = payoutRequest('local', gateway, { destination_type: 'PIGEON' })
      const { body } = await gateway.post(INITIATE_PAYOUT.local, sent)
      expect(body).toMatchObject({
        payout_reference: sent.payout_reference,
        response_code: 721,
        response_description: expect.stringMatching(/\S/),
        error_code: 'INVALID_DESTINATION_TYPE',
      })
      const status = await gateway.get(statusPath('local', sent.payout_reference))
      expect(status.body.response_code).toBe(723)
    },
  },
  ...PAYOUT_KINDS.map((kind): Check => ({
    rows: ['Payout acknowledgement codes / 722', 'Payout error_code values / DUPLICATE_IGNORED'],
    fact: `a ${kind} payout that was submitted before is 722, and is not paid twice`,
    async run(gateway) {
      const { sent } = await send(kind, gateway)
      const { body } = await gateway.post(INITIATE_PAYOUT[kind], sent)
      expect(body).toMatchObject({
        payout_reference: sent.payout_reference,
        response_code: 722,
        error_code: 'DUPLICATE_IGNORED',
      })
    },
  })),
  ...PAYOUT_KINDS.map((kind): Check => ({
    rows: [
      'Payout acknowledgement codes / 723',
      'Payout error_code values / RESOURCE_NOT_FOUND',
      'Payout error_code values / B2B, wrong payout_reference',
    ],
    fact: `the status query for a ${kind} payout that was never sent is 723`,
    async run(gateway) {
      const { body } = await gateway.get(statusPath(kind, 'never-sent'))
      expect(body).toMatchObject({
        response_code: 723,
        response_description: expect.stringMatching(/\S/),
        error_code: 'RESOURCE_NOT_FOUND',
      })
    },
  })),
  ...Object.entries(REFUSALS).map(([code, { kind, fields }]): Check => ({
    rows: [`Payout error_code values / ${code}`, 'Payout acknowledgement codes / 721'],
    fact: `a ${kind} payout with ${JSON.stringify(fields)} is refused as ${code}`,
    async run(gateway) {
      await send(kind, gateway)
      const answer = await payoutTable(kind).send(gateway, { ...fields })
      payoutTable(kind).refuses(answer)
      expect(answer.body.error_code).toBe(code)
    },
  })),
  ...PAYOUT_KINDS.flatMap((kind): Check[] =>
    [
      { code: 'UNAUTHORIZED', headers: {} },
      {
        code: 'INVALID_ACCESS_TOKEN',
        headers: { authorization: 'none of ours', 'x-access-token': 'none of ours' },
      },
    ].map(({ code, headers }) => ({
      rows: [`Payout error_code values / ${code}`, 'Payout error_code values / B2B, bad token'],
      fact: `a ${kind} payout ${code === 'UNAUTHORIZED' ? 'without a token' : 'with a wrong token'} is refused as ${code}`,
      async run(gateway) {
        const request = payoutRequest(kind, gateway)
        const { body } = await gateway.ask('POST', INITIATE_PAYOUT[kind], request, headers)
        expect(body).toMatchObject({ response_code: 721, error_code: code })
      },
    })),
  ),
  {
    ...needsControl,
    rows: ['Payout error_code values / FAILED', 'Checkout errors / 174'],
    fact: 'an outage is FAILED for a payout and 174 for a checkout',
    async run(gateway) {
      await gateway.control('/faults', { route: INITIATE_PAYOUT.local, fault: 'status', status: 503 })
      const payout = await gateway.post(INITIATE_PAYOUT.local, payoutRequest('local', gateway))
      expect(payout.body).toMatchObject({ response_code: 721, error_code: 'FAILED' })
      await gateway.control('/faults', { route: INITIATE, fault: 'status', status: 503 })
      const checkout = await gateway.post(INITIATE, checkoutRequest(gateway))
      expect(checkout.body).toMatchObject({ status_code: 174, message: expect.any(String) })
    },
  },
  {
    rows: ['Endpoints / 4'],
    fact: 'the token of a transfer is in the header Authorization, of other payouts in x-access-token',
    async run(gateway) {
      const token = await gateway.token()
      const post = (kind: PayoutKind, header: string) =>
        gateway.ask('POST', INITIATE_PAYOUT[kind], payoutRequest(kind, gateway), { [header]: token })
      expect((await post('transfer', 'authorization')).body.response_code).toBe(720)
      expect((await post('local', 'x-access-token')).body.response_code).toBe(720)
      expect((await post('b2b', 'x-access-token')).body.response_code).toBe(720)
      expect((await post('local', 'authorization')).status).toBe(401)
    },
  },
  ...fieldsOf(RESULT, (gateway) => acceptedPayout('local', gateway), {
    'Top level / payout_reference': echoed('payout_reference'),
    'Top level / destination': text,
    'Top level / data': object,
  }),
  ...fieldsOf(RESULT, local, {
    payment_id: text,
    reference: text,
    wallet_account_number: text,
    transaction_cost: decimalText,
    wallet_balance: decimalText,
    payment_status: number,
    amount: amountOf('recipient_amount'),
    currency: echoed('destination_currency'),
    account_number: masked('recipient_account_number'),
    destination_name: echoed('destination_name'),
    payout_description: echoed('payment_description'),
    transaction_time: moment,
    result_description: text,
    recipient_first_name: echoed('recipient_first_name'),
    recipient_last_name: echoed('recipient_last_name'),
    recipient_phone_number: echoed('recipient_phone_number'),
    message: text,
  }),
  ...fieldsOf(RESULT, transfer, { recipient_middle_name: echoed('recipient_middle_name') }),
  {
    rows: [`${RESULT} / bank_code`],
    fact: 'only BANK destinations have a bank_code',
    async run(gateway) {
      const toBank = await acceptedPayout('local', gateway, BANK)
      expect(toBank.got.data.bank_code).toBe('01')
      expect(toBank.got.data.destination_name).toBe('Bank of Pwani')
      const toWallet = await acceptedPayout('local', gateway)
      expect(toWallet.got.data).not.toHaveProperty('bank_code')
    },
  },
  ...fieldsOf(B2B_RESULT, (gateway) => acceptedPayout('b2b', gateway), {
    payout_reference: echoed('payout_reference'),
    transaction_id: text,
    payment_reference: text,
    wallet_account: text,
    destination: oneOf('PAYBILL'),
    payment_status: number,
    amount: amountOf('amount'),
    currency: echoed('currency_code'),
    account_number: masked('recipient_account_number'),
    destination_name: echoed('recipient_name'),
    description: echoed('payment_description'),
    transaction_time: moment,
    account_balance: decimalText,
    result_description: text,
  }),
  {
    rows: [`${B2B_RESULT} / destination`],
    fact: 'the destination of BANK_ACCOUNT_NUMBER is bank_account, of others their recipient_type',
    async run(gateway) {
      const destinationOf = async (recipient_type: string, payment_method: string) =>
        (await acceptedPayout('b2b', gateway, { recipient_type, payment_method })).got.destination
      expect(await destinationOf('BANK_ACCOUNT_NUMBER', 'BANK')).toBe('bank_account')
      expect(await destinationOf('PAYBILL', 'MOMO_B2B')).toBe('PAYBILL')
      expect(await destinationOf('TILL', 'MOMO_B2B')).toBe('TILL')
    },
  },
  ...PAYOUT_KINDS.map((kind): Check => ({
    rows: [`Endpoints / GET ${statusPath(kind, '<payout_reference>')}`, 'Payout payment status / 703'],
    fact: `703: a ${kind} payout that was just accepted`,
    async run(gateway) {
      const { sent } = await send(kind, gateway)
      const result = await resultOf(kind, gateway, sent)
      expect(result.payout_reference).toBe(sent.payout_reference)
      expect(paymentStatusOf(result)).toBe(703)
    },
  })),
  ...Object.entries(STATUSES).flatMap(([code, { means, scenarios }]) =>
    PAYOUT_KINDS.map((kind): Check => ({
      ...needsControl,
      rows: [`Payout payment status / ${code}`],
      fact: `${code}: a ${kind} payout that is ${means}`,
      async run(gateway) {
        const { sent } = await send(kind, gateway)
        for (const scenario of scenarios) await play(gateway, sent, scenario)
        const result = await resultOf(kind, gateway, sent)
        expect(paymentStatusOf(result)).toBe(Number(code))
        expect((result.data ?? result).result_description).toMatch(/\S/)
      },
    })),
  ),
]

async function local(gateway: Gateway): Promise<Sample> {
  const { sent, got } = await acceptedPayout('local', gateway)
  return { sent, got: got.data }
}

async function transfer(gateway: Gateway): Promise<Sample> {
  const { sent, got } = await acceptedPayout('transfer', gateway)
  return { sent, got: got.data }
}
