import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { charge } from '../../support/spec-charges.ts'
import {
  codeChecks,
  echoed,
  expectAccepted,
  expectRefused,
  expectSuccess,
  fieldChecks,
  fieldsOf,
  text,
  words,
} from '../check.ts'
import { expectCheckoutError } from '../checkout.ts'
import type { Check, RequestTable, Sample } from '../check.ts'
import type { Json } from '../connection.ts'
import type { Answer, Gateway } from '../gateway.ts'

const CONFIRM = '/transactions/acknowledge'

function chargeRequest({ credentials }: Gateway, fields: object = {}): Json {
  const { account_number, client_code, country, currency, msisdn, partners, services } = credentials
  return {
    ...charge,
    external_reference: randomUUID(),
    originator_msisdn: msisdn,
    payer_msisdn: msisdn,
    client_code,
    service_code: services.checkout,
    account_number,
    currency_code: currency,
    country_code: country,
    payment_method_code: credentials.wallet,
    extra_data: {
      split_settlements: [
        { account: partners.plain, amount: 1000, reason: 'Cloth' },
        { account: partners.dynamic, amount: '20', reason: 'Platform fee' },
      ],
    },
    ...fields,
  }
}

const chargeTable: RequestTable = {
  section: 'Charge request / Fields of the body',
  send: (gateway, fields) => gateway.post(gateway.chargePath(), chargeRequest(gateway, fields)),
  accepts: ({ body, text }) => expect(body?.status_code, text).toBe(176),
  refuses: expectCheckoutError,
}

const splitTable: RequestTable = {
  ...chargeTable,
  section: 'Charge request',
  send(gateway, fields) {
    const [first, ...others] = chargeRequest(gateway).extra_data.split_settlements
    return chargeTable.send(gateway, {
      extra_data: { split_settlements: [{ ...first, ...fields }, ...others] },
    })
  },
}

const confirmationTable: RequestTable = {
  section: 'Service processing confirmation / Request',
  async send(gateway, fields) {
    const { got } = await paidCharge(gateway)
    return confirm(gateway, { payment_id: got.transaction_id, ...fields })
  },
  accepts: expectSuccess,
  refuses: expectCheckoutError,
}

const needsCharges = { needs: ['charges'] } satisfies Partial<Check>
const needsPaidCharges = { needs: ['charges', 'control'] } satisfies Partial<Check>

const requestChecks: Check[] = [
  ...fieldChecks(chargeTable, {
    originator_msisdn: ['not a number'],
    payer_msisdn: ['not a number'],
    service_code: ['NO-SUCH-SERVICE'],
    account_number: ['not an account'],
    currency_code: ['shillings', 'kes'],
    country_code: ['Kenya, the country'],
    amount: ['ten', -10, 0],
    add_transaction_charge: ['perhaps'],
    transaction_charge: ['ten', -1],
    payment_method_code: ['NO_SUCH_METHOD', 'MOMO_XXX'],
    extra_data: null,
    notify_client: ['perhaps', 2],
    notify_originator: ['perhaps', 2],
  }),
  {
    rows: ['Charge request / Fields of the body / extra_data', 'Charge request / extra_data'],
    fact: 'extra_data of a charge is refused as text, a number and a list',
    async run(gateway) {
      for (const extra_data of ['text', 7, ['text']])
        await expectRefused(chargeTable, gateway, { extra_data })
    },
  },
  ...fieldChecks(splitTable, {
    account: [null, '', 'NO-SUCH-PARTNER'],
    amount: [null, '', 'ten', -10, 0],
    reason: [null, ''],
    extra_data: null,
    split_settlements: null,
  }),
  {
    rows: ['Charge request / amount'],
    fact: 'a share is a number or a numeric string, at most the amount of the charge',
    async run(gateway) {
      await expectAccepted(splitTable, gateway, { amount: 1000 })
      await expectAccepted(splitTable, gateway, { amount: '1000' })
      await expectRefused(splitTable, gateway, { amount: 1_000_000 })
    },
  },
  {
    rows: ['Charge request / split_settlements'],
    fact: 'split_settlements is an array of shares',
    async run(gateway) {
      const [share] = chargeRequest(gateway).extra_data.split_settlements
      for (const split_settlements of [share, 'all', [7]])
        await expectRefused(chargeTable, gateway, { extra_data: { split_settlements } })
    },
  },
  {
    rows: ['Charge request / dynamic accounts'],
    fact: 'shares without a dynamic partner account are refused',
    async run(gateway) {
      const { split_settlements } = chargeRequest(gateway).extra_data
      const { dynamic } = gateway.credentials.partners
      const plain = split_settlements.filter(({ account }: { account: string }) => account !== dynamic)
      expect(plain).toHaveLength(1)
      await expectRefused(chargeTable, gateway, { extra_data: { split_settlements: plain } })
    },
  },
  {
    rows: ['Authentication / 1', 'Checkout errors / 132'],
    fact: 'a charge and its status without a token, or with one that is not valid, are a 401 with code 132',
    async run(gateway) {
      const path = gateway.chargePath()
      for (const headers of [{}, { 'x-access-token': 'none of ours' }])
        for (const answer of [
          await gateway.ask('POST', path, chargeRequest(gateway), headers),
          await gateway.ask('GET', `${path}/none/status`, undefined, headers),
        ]) {
          expect(answer.status, answer.text).toBe(401)
          expect(answer.body.status_code).toBe(132)
        }
    },
  },
  {
    rows: ['Checkout errors / 176'],
    fact: 'a charge is acknowledged with 176',
    async run(gateway) {
      const { sent, got } = await post(gateway)
      expect(got).toMatchObject({ status_code: 176, external_reference: sent.external_reference })
    },
  },
  ...codeChecks(chargeTable, [
    [109, { payer_msisdn: undefined }],
    [110, { payer_msisdn: 'not a number' }],
    [115, { currency_code: 'XXX' }],
    [120, { account_number: undefined }],
    [172, { service_code: 'NO-SUCH-SERVICE' }],
  ]),
]

const flowChecks: Check[] = [
  ...fieldChecks(confirmationTable, { payment_id: ['no-such-payment'], status: ['DONE', 'successful'] }),
  ...words(confirmationTable, 'status', { FAILED: {}, SUCCESSFUL: {} }),
  ...fieldsOf('Service processing confirmation', confirmed, {
    'Response / payment_id': echoed('payment_id'),
    'Response / message': text,
  }),
  {
    rows: ['What the service does / Charge requests'],
    fact: 'a charge with a payment method prompts the payer, and one without returns the hosted page',
    async run(gateway) {
      const direct = await post(gateway)
      expect(direct.got).not.toHaveProperty('redirect_url')
      expect((await statusOf(gateway, direct.sent)).payments).toHaveLength(1)
      const redirect = await post(gateway, { payment_method_code: undefined })
      expect(await gateway.page(redirect.got.redirect_url)).toMatch(/<form[^>]*method="post"/i)
      expect((await statusOf(gateway, redirect.sent)).payments).toEqual([])
    },
  },
  {
    rows: ['Charge request / extra_data'],
    fact: 'extra_data is returned with the payment',
    async run(gateway) {
      const extra_data = { table: '7', waiter: { name: 'Juma' } }
      expect((await paidCharge(gateway, { extra_data })).got.extra_data).toEqual(extra_data)
    },
  },
  {
    rows: ['Split settlement flow / 1'],
    fact: 'the payment of a charge uses the chosen method',
    async run(gateway) {
      const { country } = gateway.credentials
      for (const payment_method_code of [`MOMO_${country}`, 'CARD']) {
        const { sent, got } = await paidCharge(gateway, { payment_method_code })
        expect(got).toMatchObject({ payment_method_code, payment_status: 700 })
        expect(got.external_reference).toBe(sent.external_reference)
        expect((await statusOf(gateway, sent)).status).toBe(801)
      }
    },
  },
  {
    rows: ['Split settlement flow / 2', `Endpoints / POST {base_url}${CONFIRM}`],
    fact: 'the merchant confirms a payment as SUCCESSFUL or FAILED, and an unknown payment is refused',
    async run(gateway) {
      for (const status of ['SUCCESSFUL', 'FAILED']) {
        const { got } = await paidCharge(gateway)
        const answer = await confirm(gateway, { payment_id: got.transaction_id, status })
        expectSuccess(answer)
        expect(answer.body.payment_id).toBe(got.transaction_id)
      }
      expectCheckoutError(await confirm(gateway, { payment_id: 'nobody-made-this' }))
    },
  },
  {
    rows: ['Split settlement flow / 3', 'Charge request / account', 'Charge request / split_settlements'],
    fact: 'partners get their shares once, when the service is confirmed, and nothing when it failed',
    async run(gateway) {
      const { plain, dynamic } = gateway.credentials.partners
      const holdings = async () => [
        await partnerBalance(gateway, plain),
        await partnerBalance(gateway, dynamic),
      ]
      const [first = 0, second = 0] = await holdings()
      const [{ got }, { got: failed }] = [await paidCharge(gateway), await paidCharge(gateway)]
      expectSuccess(await confirm(gateway, { payment_id: failed.transaction_id, status: 'FAILED' }))
      expect(await holdings()).toEqual([first, second])
      for (let times = 0; times < 2; times++) {
        await confirm(gateway, { payment_id: got.transaction_id })
        expect(await holdings()).toEqual([first + 1000, second + 20])
      }
    },
  },
  {
    rows: ['Versioning / 2'],
    fact: 'the confirmation has no version in its path',
    async run(gateway) {
      const { got } = await paidCharge(gateway)
      const body = { payment_id: got.transaction_id, status: 'SUCCESSFUL', narration: 'Delivered' }
      for (const version of ['/v1', '/v2'])
        expect((await gateway.post(version + CONFIRM, body)).status).toBe(404)
      expectSuccess(await gateway.post(CONFIRM, body))
    },
  },
]

export const chargeChecks: Check[] = [
  ...requestChecks.map((check) => ({ ...check, ...needsCharges })),
  ...flowChecks.map((check) => ({ ...check, ...needsPaidCharges })),
]

function confirmed(gateway: Gateway): Promise<Sample> {
  return gateway.remember('a confirmed charge', async () => {
    const { got } = await paidCharge(gateway)
    const { body } = await confirm(gateway, { payment_id: got.transaction_id })
    return { sent: { payment_id: got.transaction_id }, got: body }
  })
}

async function post(gateway: Gateway, fields: object = {}): Promise<Sample> {
  const sent = chargeRequest(gateway, fields)
  const { body } = await expectAccepted(chargeTable, gateway, sent)
  return { sent, got: body }
}

async function paidCharge(gateway: Gateway, fields: object = {}): Promise<Sample> {
  const { sent } = await post(gateway, fields)
  await gateway.control(`/checkouts/${sent.external_reference}/pay`, { scenario: 'approve' })
  await gateway.later(1_000)
  return { sent, got: (await statusOf(gateway, sent)).payments.at(-1) }
}

const statusOf = (gateway: Gateway, { external_reference }: Json): Promise<Json> =>
  gateway.read(`${gateway.chargePath()}/${external_reference}/status`)

function confirm(gateway: Gateway, fields: object): Promise<Answer> {
  return gateway.post(CONFIRM, { status: 'SUCCESSFUL', narration: 'Delivered', ...fields })
}

async function partnerBalance(gateway: Gateway, partner: string): Promise<number> {
  const { accounts } = await gateway.control('/ledger')
  const account = `partner/${partner}/${gateway.credentials.currency}`
  return Number(accounts.find((each: Json) => each.account === account)?.balance ?? 0)
}
