import { CHARGE } from './chargeable.ts'
import { API_KEY, ENVIRONMENT } from './environment.ts'
import { DOWN, RELIABLE } from './network.ts'
import { PAYOUT_PATHS, PAYOUTS } from './payable.ts'

import type { World, WorldOptions } from './world.ts'

/** The payers of checkouts and charges. Nobody else has their names, e-mail addresses and numbers. */
const PAYERS = {
  paid: payer('Achieng', '254700001001'),
  failed: payer('Barasa', '254700001002'),
  refused: payer('Cherono', '254700001003'),
  left: payer('Dalmas', '254700001004'),
  charged: payer('Emuria', '254700001005'),
  chargeRefused: payer('Faraji', '254700001006'),
}
const LOCAL = {
  recipient_first_name: 'Gathoni',
  recipient_last_name: 'Hamisi',
  recipient_account_name: 'Gathoni W. Hamisi',
  recipient_phone_number: '254700002001',
  recipient_account_number: '254700002001',
}
const TRANSFER = {
  sender_first_name: 'Imani',
  sender_last_name: 'Jebet',
  sender_document_number: 'SENDER-DOC-31',
  sender_phone_number: '254700002002',
  recipient_first_name: 'Kioko',
  recipient_middle_name: 'Lemayan',
  recipient_last_name: 'Mutindi',
  recipient_document_number: 'RECIPIENT-DOC-41',
  recipient_phone_number: '254700002003',
  recipient_account_number: 'KE00ACCOUNT59',
  recipient_account_name: 'Kioko L. Mutindi',
}
const B2B = {
  recipient_name: 'Nyota Textiles',
  recipient_account_number: '400777',
  payment_account_reference: 'INVOICE-OF-NYOTA',
}
const REJECTED = { ...LOCAL, recipient_first_name: 'Ogola', recipient_phone_number: '254700002004' }
const PHONES = ['254700003001', '254700003002', '254700003003']

/** Personal data that are stored, sealed but for events, until 30 days after settlement. */
export const RECIPIENTS = textsOf([LOCAL, TRANSFER, B2B, REJECTED, PHONES, 'For Gathoni, 0700 002 001'])
/** Personal data that are never stored in clear. */
export const PAYER_TEXTS = textsOf(Object.values(PAYERS))

const CALLBACK_SECRET = 'planted: key of callback addresses, 9f3A1c70Be5d'
const { left: _, ...sent } = PAYERS
/** Personal data that the gateway received: all but those of the shopper who left while the gateway was down. */
export const SENT_PAYER_TEXTS = textsOf(Object.values(sent))

/** Secrets that are never stored, logged or sent to the wrong place. */
export const SECRETS = [
  API_KEY,
  CALLBACK_SECRET,
  String(ENVIRONMENT.GATEWAY_CONSUMER_SECRET),
  String(ENVIRONMENT.MERCHANT_WEBHOOK_SECRET),
  String(ENVIRONMENT.MERCHANT_WEBHOOK_SECRET).replace('whsec_', ''),
]

function payer(name: string, payer_msisdn: string) {
  return { payer_name: `${name} Mwenda${name}`, payer_email: `${name}@planted.example`, payer_msisdn }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') {
    return [value]
  }
  return [...new Set(Object.values(Object(value)).flatMap(textsOf))]
}

/** The options of a world whose gateway repeats what it was sent, and whose backend is away at first. */
export function plantedOptions(): WorldOptions {
  let refusals = 3
  return {
    env: { CALLBACK_SECRET },
    backend: () => new Response(null, { status: refusals-- > 0 ? 503 : 204 }),
    gateway: (_, { body = '' }) => (isRefused(body ?? '') ? refusalOf(body ?? '') : undefined),
  }
}

const isRefused = (body: string) =>
  [PAYERS.refused, PAYERS.chargeRefused].some(({ payer_name }) => body.includes(payer_name))

function refusalOf(body: string): Response {
  const { payer_name, payer_email, payer_msisdn } = JSON.parse(body)
  const text = `${payer_name} (${payer_email}) has no wallet at +${payer_msisdn}`
  return Response.json({ status_code: 110, status_description: text, message: text }, { status: 400 })
}

/** Makes the gateway name the recipient of a payout in its texts. Returns the access tokens that the gateway issues. */
function listen(world: World): Set<string> {
  const tokens = new Set<string>()
  world.alterAnswers((text) => {
    const [, token] = /"access_token":"([^"]+)"/.exec(text) ?? []
    if (token) {
      tokens.add(token)
    }

    return text.includes('"P-local"')
      ? text.replaceAll('processed successfully', 'paid to GATHONI HAMISI at 0700 002 001')
      : text
  })
  return tokens
}

/** Runs transactions of every kind with planted data, through failures, refusals and a restart. */
export async function runPlanted(world: World) {
  const tokens = listen(world)
  for (const order of Object.keys(PAYERS)) {
    world.order(order)
  }

  await world.pay(await world.start('paid', PAYERS.paid), 'approve')
  await world.pay(await world.start('failed', PAYERS.failed), 'wrong_pin')
  await world.initiate('refused', PAYERS.refused)
  await world.initiate('unknown', PAYERS.left)
  await world.ask('/api/payouts', { headers: { authorization: 'Bearer a wrong key of somebody else' } })

  for (const [type, people] of Object.entries({ local: LOCAL, transfer: TRANSFER, b2b: B2B } as const)) {
    const type_ = type as keyof typeof PAYOUTS
    const description = type === 'local' ? { payment_description: 'For Gathoni, 0700 002 001' } : {}
    const body = { ...PAYOUTS[type_], ...people, ...description, payout_reference: `P-${type}` }
    world.network.reliability.gateway = { ...RELIABLE, answerLost: type === 'b2b' ? 1 : 0 }
    await world.api(PAYOUT_PATHS[type_], body)
  }

  world.network.reliability.gateway = RELIABLE
  await world.control('/payouts/P-rejected/play', { scenario: 'invalid_wallet' })
  await world.api('/payouts', { ...PAYOUTS.local, ...REJECTED, payout_reference: 'P-rejected' })
  const recipients = PHONES.map((phone_number) => ({ phone_number, amount: '10' }))
  await world.api('/airtime', { reference: 'A-1', recipients })
  await world.control(`/airtime/A-1/${PHONES[1]}/play`, { scenario: 'decline' })
  await world.api('/charges', { ...CHARGE, ...PAYERS.charged })
  await world.api('/charges', { ...CHARGE, ...PAYERS.chargeRefused, external_reference: 'C-2' })
  await world.api('/charges', { ...CHARGE, payer_msisdn: 'not a number', external_reference: 'C-3' })

  world.network.reliability.gateway = DOWN
  await world.initiate('left', PAYERS.left)
  await world.restart()
  world.network.reliability.gateway = RELIABLE
  world.network.reliability.callbacks = { ...RELIABLE, repeated: 0.5, late: 0.5 }
  await world.later(10 * 60_000)
  return { capabilities: () => [...tokens, ...capabilitiesIn(world)] }
}

/** Returns what opens something for whoever knows it: ids of checkouts, and addresses of callbacks. */
function capabilitiesIn(world: World): string[] {
  return world.gatewayBodies().flatMap((body) => {
    const callback = /"callback_url":"[^"]*\/([^/"]+)"/.exec(body)?.[1]
    const checkout = /"redirect_url":"[^"]*\/return\/([^/"]+)"/.exec(body)?.[1]
    return [callback?.split('.').at(-1), checkout].filter((text) => text !== undefined)
  })
}
