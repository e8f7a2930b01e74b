import { charge, redirectCharge } from '../support/spec/charges.ts'
import { transfer } from '../support/spec/payouts.ts'
import { B2B, CHARGES, MINUTE, PAYOUTS, SECOND, TRANSFERS, b2b, openMerchant, payout } from './merchant.ts'

import type { SandboxOptions } from '../../demo/sandbox/index.ts'

export const ARABIC_NAME = 'عائشة محمد عبد الرحمن'
export const LONG_NAME =
  'Wolfeschlegelsteinhausenbergerdorff-Nyamwamba wa Kithaka Onyango Achieng’ and Daughters'
export const MARKUP = '"><script>alert(1)</script><b>free</b>'

/** Opens a sandbox whose merchant has had transactions of every kind, and with every kind of end. */
export async function openTrade(options: SandboxOptions = {}) {
  const merchant = await openMerchant({
    ...options,
    // The server of the merchant is out of order for payouts.
    reply: (url) =>
      url.endsWith('/payouts') ? new Response('<h1>Not now</h1>', { status: 503 }) : new Response('OK'),
  })
  await takePayments(merchant)
  await takeCharges(merchant)
  await payOut(merchant)
  await merchant.buy([
    { phone_number: '254700000001', amount: '100' },
    { phone_number: '254711119008', amount: '250.50' },
    { phone_number: '254722229101', amount: '50' },
  ])
  await merchant.later(MINUTE)
  await merchant.begin({ merchant_transaction_id: 'order-waiting', payer_name: 'Baraka Mwangi' })
  await merchant.send('/v2/checkout/initiate', { merchant_transaction_id: 'order-wrong' })
  return merchant
}

type Merchant = Awaited<ReturnType<typeof openMerchant>>

async function takePayments(merchant: Merchant): Promise<void> {
  const take = async (id: string, scenario: string | null, fields: object = {}) => {
    await merchant.begin({ merchant_transaction_id: id, ...fields })
    if (scenario !== null) {
      await merchant.pay(scenario, {}, encodeURIComponent(id))
    }

    await merchant.later(7 * SECOND)
  }

  await take('order-expired', null, { expires_in: 1, payer_name: 'Zawadi Kamau' })
  await take('order-paid', 'approve', { amount: 1500 })
  await take('order-failed', 'wrong_pin', { amount: 80 })
  await merchant.pay('insufficient_funds', {}, 'order-failed')
  await take('order-partial', 'partial', { amount: 999, payer_name: LONG_NAME })
  await take('order-over', 'overpay', {
    amount: 20_000,
    narration: 'Kanga, kitenge and a very long list of other cloths '.repeat(4),
  })
  await take('order-arabic', 'approve', { amount: 123_456_789, payer_name: ARABIC_NAME, narration: 'قماش' })
  await take('order-jammed', 'jam', { amount: 4_200, payer_name: 'Juma Hassan' })
  await take('order-refunded', 'approve', { amount: 640 })
  await merchant.pay('refund', {}, 'order-refunded')
  await take(MARKUP, 'approve', { amount: 7, payer_name: MARKUP, narration: MARKUP })
}

async function takeCharges(merchant: Merchant): Promise<void> {
  await merchant.confirm(await merchant.paid())
  await merchant.paid({ external_reference: 'CHARGE-HELD', description: 'Delivery tomorrow' })
  await merchant.accepted(CHARGES, {
    ...redirectCharge,
    external_reference: 'CHARGE-OPEN',
    payer_name: ARABIC_NAME,
  })
  await merchant.charge({ ...charge, external_reference: 'CHARGE-JAMMED', payer_msisdn: '254700009008' })
  await merchant.later(5 * SECOND)
}

async function payOut(merchant: Merchant): Promise<void> {
  await merchant.accepted(PAYOUTS, payout())
  await merchant.accepted(
    PAYOUTS,
    payout({ payout_reference: 'WAGES-2', recipient_phone_number: '254700009101' }),
  )
  await merchant.accepted(
    PAYOUTS,
    payout({
      payout_reference: 'WAGES-JAMMED',
      recipient_phone_number: '254700009008',
      recipient_last_name: LONG_NAME,
    }),
  )
  await merchant.accepted(TRANSFERS, transfer)
  await merchant.accepted(TRANSFERS, {
    ...transfer,
    payout_reference: 'IMT-JAMMED',
    recipient_phone_number: '254700009008',
    recipient_account_number: '254700009008',
  })
  await merchant.accepted(B2B, b2b({ payout_reference: 'SUPPLIER-1', recipient_name: ARABIC_NAME }))
  await merchant.later(5 * SECOND)
}
