/** The checks of charges: splits, the hosted page, and the confirmation of the service. */

import {
  CONFIRM,
  NO_CHARGE,
  chargeRequest,
  confirm,
  confirmedCharge,
  paidCharge,
  partnerBalance,
  partnersOf,
  pay,
  paymentsIn,
  retrieveCharge,
  sendCharge,
  testedCharge,
  testedConfirmation,
  testedSplit,
} from '../charge.ts'
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
import { expect } from '../expect.ts'

import type { Check } from '../check.ts'
import type { Need } from '../gateway.ts'

const needing = (needs: readonly Need[]) => (check: Check) => ({
  ...check,
  needs: [...needs, ...(check.needs ?? [])],
})

const requestChecks: Check[] = [
  ...fieldChecks(testedCharge, {
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
    fact: 'extra_data of a charge is refused as a number and a list',
    async run(gateway) {
      for (const extra_data of [7, ['text']]) {
        await expectRefused(testedCharge, gateway, { extra_data })
      }
    },
  },
  {
    rows: ['Charge request / Fields of the body / extra_data', 'Charge request / extra_data'],
    fact: 'extra_data of a charge is refused as text',
    needs: ['pages'],
    run: async (gateway) => void (await expectRefused(testedCharge, gateway, { extra_data: 'text' })),
  },
  ...fieldChecks(testedSplit, {
    account: [null, '', 'NO-SUCH-PARTNER'],
    amount: [null, '', 'ten', -10, 0],
    reason: [null, ''],
    extra_data: null,
    split_settlements: null,
  }).map(needing(['partners'])),
  {
    rows: ['Charge request / amount'],
    fact: 'a share is a number or a numeric string, at most the amount of the charge',
    needs: ['partners'],
    async run(gateway) {
      await expectAccepted(testedSplit, gateway, { amount: 1000 })
      await expectAccepted(testedSplit, gateway, { amount: '1000' })
      await expectRefused(testedSplit, gateway, { amount: 1_000_000 })
    },
  },
  {
    rows: ['Charge request / split_settlements'],
    fact: 'split_settlements is an array of shares',
    needs: ['partners'],
    async run(gateway) {
      const [share] = chargeRequest(gateway).extra_data.split_settlements
      for (const split_settlements of [share, 'all', [7]]) {
        await expectRefused(testedCharge, gateway, { extra_data: { split_settlements } })
      }
    },
  },
  {
    rows: ['Charge request / dynamic accounts'],
    fact: 'a charge without a dynamic partner account is refused, with other shares and without any',
    needs: ['partners'],
    async run(gateway) {
      const { split_settlements } = chargeRequest(gateway).extra_data
      const { dynamic } = partnersOf(gateway)
      const plain = split_settlements.filter(({ account }: { account: string }) => account !== dynamic)
      expect(plain).toHaveLength(1)
      await expectRefused(testedCharge, gateway, { extra_data: { split_settlements: plain } })
      await expectRefused(testedCharge, gateway, { extra_data: undefined })
    },
  },
  {
    rows: ['Authentication / 1 / calls'],
    fact: 'a charge and its status without a token, or with one that is not valid, are refused',
    async run(gateway) {
      await sendCharge(gateway)
      const path = gateway.chargePath()
      for (const headers of [{}, { 'x-access-token': 'none of ours' }]) {
        for (const answer of [
          await gateway.ask('POST', path, chargeRequest(gateway), headers),
          await gateway.ask('GET', gateway.chargeStatusPath(NO_CHARGE), undefined, headers),
        ]) {
          expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
        }
      }
    },
  },
  {
    rows: ['Checkout errors / 176'],
    fact: 'a charge is acknowledged with 176',
    async run(gateway) {
      const { sent, got } = await sendCharge(gateway)
      expect(got).toMatchObject({ status_code: 176, external_reference: sent.external_reference })
    },
  },
  ...codeChecks(testedCharge, [
    [109, { payer_msisdn: undefined }],
    [110, { payer_msisdn: 'not a number' }],
    [115, { currency_code: 'XXX' }],
    [120, { account_number: undefined }],
    [172, { service_code: 'NO-SUCH-SERVICE' }],
  ]),
]

const flowChecks: Check[] = [
  ...fieldChecks(testedConfirmation, { payment_id: ['no-such-payment'], status: ['DONE', 'successful'] }),
  ...words(testedConfirmation, 'status', { FAILED: {}, SUCCESSFUL: {} }),
  ...fieldsOf('Service processing confirmation', confirmedCharge, {
    'Response / payment_id': echoed('payment_id'),
    'Response / message': text,
  }),
  {
    rows: ['What the service does / Charge requests / direct'],
    fact: 'a charge with a payment method prompts the payer',
    async run(gateway) {
      const direct = await sendCharge(gateway)
      expect(Object.keys(direct.got)).not.toContain('redirect_url')
      expect(paymentsIn(await retrieveCharge(gateway, direct))).toMatchObject([{ payment_status: 703 }])
    },
  },
  {
    rows: ['What the service does / Charge requests / hosted page'],
    fact: 'a charge without a payment method returns the hosted page',
    needs: ['pages'],
    async run(gateway) {
      const redirect = await sendCharge(gateway, { payment_method_code: undefined })
      expect(await gateway.page(redirect.got.redirect_url)).toMatch(/<form[^>]*method="post"/i)
      expect(paymentsIn(await retrieveCharge(gateway, redirect))).toEqual([])
    },
  },
  {
    rows: ['Charge request / extra_data'],
    fact: 'extra_data as text is returned with the payment, or refused for the dynamic account that it lacks',
    needs: ['records'],
    async run(gateway) {
      const sent = chargeRequest(gateway, { extra_data: 'table 7' })
      const { body } = await gateway.post(gateway.chargePath(), sent)
      if (body?.status_code !== 176) {
        return expect(body?.message).toContain(partnersOf(gateway).dynamic)
      }

      const posted = { sent, got: body }
      await pay(gateway, posted)
      expect(paymentsIn(await retrieveCharge(gateway, posted)).at(-1).extra_data).toBe('table 7')
    },
  },
  {
    rows: ['Charge request / extra_data'],
    fact: 'extra_data is returned with the payment',
    async run(gateway) {
      const { split_settlements } = chargeRequest(gateway).extra_data
      const extra_data = { table: '7', waiter: { name: 'Juma' }, split_settlements }
      expect((await paidCharge(gateway, { extra_data })).got.extra_data).toMatchObject({
        table: '7',
        waiter: { name: 'Juma' },
      })
    },
  },
  {
    rows: ['Split settlement flow / 1'],
    fact: 'the payment of a charge uses the chosen method',
    async run(gateway) {
      const { country } = gateway.credentials
      for (const payment_method_code of [`MOMO_${country}`, `WAVELET_${country}`]) {
        const { sent, got } = await paidCharge(gateway, { payment_method_code })
        expect(got).toMatchObject({ payment_method_code, payment_status: 700 })
        expect(got.external_reference).toBe(sent.external_reference)
      }
    },
  },
  {
    rows: ['Split settlement flow / 1'],
    fact: 'the state of a paid charge is that of a paid checkout',
    needs: ['pages'],
    async run(gateway) {
      const posted = await sendCharge(gateway, { payment_method_code: 'CARD' })
      await pay(gateway, posted)
      expect(await retrieveCharge(gateway, posted)).toMatchObject({
        status: 801,
        currency: posted.sent.currency_code,
      })
    },
  },
  {
    rows: ['Split settlement flow / 1'],
    fact: 'the state of a paid charge is its payment record',
    needs: ['records'],
    async run(gateway) {
      const posted = await sendCharge(gateway)
      await pay(gateway, posted)
      expect(await retrieveCharge(gateway, posted)).toMatchObject({
        event: 'successful_payment',
        payment_status: 700,
        charge_request_id: posted.got.charge_request_id,
        external_reference: posted.sent.external_reference,
      })
    },
  },
  {
    rows: [
      'Split settlement flow / 2 / SUCCESSFUL',
      'Split settlement flow / 2 / FAILED',
      'What the service does / Charge requests / confirmation',
      `Endpoints / POST {base_url}${CONFIRM}`,
    ],
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
    rows: [
      'Split settlement flow / 3 / distributed',
      'Split settlement flow / 3 / validated',
      'What the service does / Charge requests / splits',
      'Charge request / account',
      'Charge request / split_settlements',
    ],
    fact: 'partners get their shares once, when the service is confirmed, and nothing when it failed',
    async run(gateway) {
      const { plain, dynamic } = partnersOf(gateway)
      const holdings = async () => [
        await partnerBalance(gateway, plain),
        await partnerBalance(gateway, dynamic),
      ]
      const [first = 0, second = 0] = await holdings()
      const { got } = await paidCharge(gateway)
      const { got: failed } = await paidCharge(gateway)
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
      for (const version of ['/v1', '/v2']) {
        expect((await gateway.post(version + CONFIRM, body)).status).toBe(404)
      }

      expectSuccess(await gateway.post(CONFIRM, body))
    },
  },
]

export const chargeChecks: Check[] = [
  ...requestChecks.map(needing(['charges'])),
  ...flowChecks.map(needing(['charges', 'control'])),
]
