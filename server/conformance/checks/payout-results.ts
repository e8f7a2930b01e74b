/** The checks of what the gateway reports of a payout, after each way in which it ends. */

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
  statusChecks,
  text,
} from '../check.ts'
import { INITIATE, checkoutRequest, needsControl } from '../checkout.ts'
import { expect } from '../expect.ts'
import {
  INITIATE_PAYOUT,
  PAYOUT_KINDS,
  REQUEST_SECTION,
  TO_BANK,
  acceptedPayout,
  paymentStatusOf,
  payoutRequest,
  resultFieldsOf,
  retrieveAccount,
  retrievePayout,
  sendPayout,
  simulateResult,
  statusPath,
  testedPayout,
} from '../payout.ts'

import type { Check, Sample, Ways } from '../check.ts'
import type { Gateway } from '../gateway.ts'
import type { PayoutKind } from '../payout.ts'

const STATUSES: Ways = {
  700: ['processed successfully', 'success'],
  701: ['failed', 'decline'],
  702: ['reversed', 'success', 'reverse'],
  704: ['jammed', 'jam'],
  705: ['refunded', 'success', 'refund'],
}

const ACKNOWLEDGEMENT = ['payout_reference', 'response_code', 'response_description', 'error_code'].map(
  (field) => `Payout acknowledgement / ${field}`,
)

const REFUSALS: readonly (readonly [code: string, kind: PayoutKind, changes: Record<string, unknown>])[] = [
  ['INSUFFICIENT_BALANCE', 'local', { sender_amount: '999999999', recipient_amount: '999999999' }],
  ['INSUFFICIENT_BALANCE', 'b2b', { amount: '999999999' }],
  ['SERVICE_NOT_ALLOWED', 'local', { service_code: 'NO-SUCH-SERVICE' }],
  ['SERVICE_NOT_ALLOWED', 'b2b', { service_code: 'NO-SUCH-SERVICE' }],
  ['INVALID_DESTINATION_TYPE', 'local', { destination_type: 'PIGEON' }],
  ['INVALID_DESTINATION_TYPE', 'b2b', { recipient_type: 'PIGEON' }],
  ['INVALID_PHONE_NUMBER', 'local', { recipient_phone_number: '0700000001' }],
  ['INVALID_PAYMENT_METHOD', 'b2b', { payment_method: 'CASH' }],
  ['INVALID_WALLET', 'local', { destination_name: 'NO_SUCH_WALLET' }],
]

const RESULT = 'Payout result'
const B2B_RESULT = 'B2B callback and status payload'

export const payoutResultChecks: Check[] = [
  ...PAYOUT_KINDS.map((kind): Check => ({
    rows: [
      `Endpoints / POST ${INITIATE_PAYOUT[kind]}`,
      `Endpoints / GET ${statusPath(kind, '<payout_reference>')}`,
      'Endpoints / 6 / 720',
      'Endpoints / 6 / validated first',
      'Payout acknowledgement codes / 720',
      'Payout payment status / 703',
      ...ACKNOWLEDGEMENT,
    ],
    fact: `a ${kind} payout is acknowledged with 720 and its reference, and pending at first`,
    async run(gateway) {
      const { sent, got } = await sendPayout(kind, gateway)
      expect(got).toMatchObject({
        payout_reference: sent.payout_reference,
        response_code: 720,
        response_description: expect.matching(/\S/),
      })
      expect(Object.keys(got)).not.toContain('error_code')
      expect(paymentStatusOf(await retrievePayout(kind, gateway, sent))).toBe(703)
    },
  })),
  ...PAYOUT_KINDS.map((kind): Check => ({
    rows: [
      `${REQUEST_SECTION[kind]} / payout_reference`,
      'Payout acknowledgement codes / 722',
      'Payout error_code values / DUPLICATE_IGNORED',
      'Payout error_code values / B2B, unique payout_reference',
    ],
    fact: `a ${kind} payout that was submitted before is 722, and is not paid twice`,
    async run(gateway) {
      const { sent } = await sendPayout(kind, gateway)
      const { payout_reference } = sent
      const { balance } = await retrieveAccount(gateway)
      for (const body of [sent, payoutRequest(kind, gateway, { payout_reference })]) {
        const answer = await gateway.post(INITIATE_PAYOUT[kind], body)
        const duplicate = { payout_reference, response_code: 722, error_code: 'DUPLICATE_IGNORED' }
        expect(answer.body).toMatchObject(duplicate)
      }

      expect((await retrieveAccount(gateway)).balance).toBe(balance)
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
        response_description: expect.matching(/\S/),
        error_code: 'RESOURCE_NOT_FOUND',
      })
    },
  })),
  ...REFUSALS.map(([code, kind, changes]): Check => ({
    rows: [
      `Payout error_code values / ${code}`,
      'Payout acknowledgement codes / 721',
      'Endpoints / 6 / rejection',
      ...ACKNOWLEDGEMENT,
    ],
    fact: `a ${kind} payout with ${JSON.stringify(changes)} is refused as ${code}, and no money moves`,
    async run(gateway) {
      await sendPayout(kind, gateway)
      const { balance } = await retrieveAccount(gateway)
      const sent = payoutRequest(kind, gateway, changes)
      const answer = await gateway.post(INITIATE_PAYOUT[kind], sent)
      testedPayout(kind).assertRefused(answer)
      expect(answer.body).toMatchObject({ payout_reference: sent.payout_reference, error_code: code })
      expect((await gateway.get(statusPath(kind, sent.payout_reference))).body.response_code).toBe(723)
      expect((await retrieveAccount(gateway)).balance).toBe(balance)
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
      expect(checkout.body).toMatchObject({ status_code: 174, message: expect.matching(/^/) })
    },
  },
  {
    rows: ['Endpoints / 4 / transfers', 'Endpoints / 4 / others'],
    fact: 'the token of a transfer is in the header Authorization, of other payouts in x-access-token',
    async run(gateway) {
      const token = await gateway.token()
      const post = (kind: PayoutKind, header: string) =>
        gateway.ask('POST', INITIATE_PAYOUT[kind], payoutRequest(kind, gateway), { [header]: token })
      expect((await post('transfer', 'authorization')).body.response_code).toBe(720)
      expect((await post('local', 'x-access-token')).body.response_code).toBe(720)
      expect((await post('b2b', 'x-access-token')).body.response_code).toBe(720)
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
      const toBank = await acceptedPayout('local', gateway, TO_BANK)
      expect(toBank.got.data.bank_code).toBe('01')
      expect(toBank.got.data.destination_name).toBe('Bank of Pwani')
      const toWallet = await acceptedPayout('local', gateway)
      expect(Object.keys(toWallet.got.data)).not.toContain('bank_code')
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
  ...PAYOUT_KINDS.flatMap((kind) =>
    statusChecks('Payout payment status', `a ${kind} payout`, STATUSES, async (gateway, scenarios) => {
      const { sent } = await sendPayout(kind, gateway)
      for (const scenario of scenarios) {
        await simulateResult(gateway, sent, scenario)
      }

      const result = await retrievePayout(kind, gateway, sent)
      expect(resultFieldsOf(result).result_description).toMatch(/\S/)
      return paymentStatusOf(result)
    }),
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
