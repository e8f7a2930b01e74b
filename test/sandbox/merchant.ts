import { createSandbox, createTimeline } from '../../demo/sandbox/index.ts'
import { AIRTIME, airtime } from '../support/spec/airtime.ts'
import { charge, redirectCharge } from '../support/spec/charges.ts'
import { b2bPayout, localPayout } from '../support/spec/payouts.ts'
import { initiateRequest } from '../support/spec/shapes.ts'
import { posted } from '../support/worlds/sandbox-line.ts'

import type { Sandbox, SandboxFetch, SandboxOptions, Timeline } from '../../demo/sandbox/index.ts'
import type { Payload } from '../../demo/sandbox/sessions/session.ts'

export const START = Date.UTC(2026, 10, 21, 9)
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

export { AIRTIME }
export const CHECKOUTS = '/v2/checkout/initiate'
export const CHARGES = '/v1/charges'
export const CONFIRM = '/transactions/acknowledge'
export const PAYOUTS = '/v1/payouts/initiate'
export const TRANSFERS = '/v1/payouts/imt/initiate'
export const B2B = '/v1/payouts/b2b/initiate'

export const FUNDED = '1000000.00'
export const CALLBACKS = 'http://127.0.0.1:9/callbacks'
const PORTAL = { charge_callback_url: `${CALLBACKS}/charges`, airtime_callback_url: `${CALLBACKS}/airtime` }

export interface Callback {
  url: string
  /** The time of arrival, in milliseconds since {@link START}. */
  at: number
  body: Payload | null
  text: string
}

export type Merchant = Awaited<ReturnType<typeof connect>>

interface Connection {
  sandbox: Sandbox
  timeline: Timeline
  callbacks: Callback[]
}

interface Account {
  key: string
  secret: string
  /** The path of the requests that control what concerns the merchant. */
  controls: string
}
const FIRST_SHOP: Account = { key: 'sandbox-key', secret: 'sandbox-secret', controls: '/_sandbox' }
const SECOND_SHOP: Account = {
  key: 'sandbox-key-2',
  secret: 'sandbox-secret-2',
  controls: '/_sandbox/merchants/SANDBOX-2',
}

export async function openMerchant(options: SandboxOptions & { reply?: SandboxFetch } = {}) {
  const timeline = options.timeline ?? createTimeline({ wall: null, start: START })
  const callbacks: Callback[] = []
  const reply = options.reply ?? (() => new Response('OK'))
  const sandbox = createSandbox({
    seed: 1,
    portal: PORTAL,
    ...options,
    timeline,
    fetch: (url, init) => {
      callbacks.push({ url, at: timeline.now() - START, body: parsed(init.body), text: init.body })
      return reply(url, init)
    },
  })
  return connect({ sandbox, timeline, callbacks }, FIRST_SHOP)
}

/** Opens the second merchant of the sandbox in which `connection` is the first. */
export function openSecondMerchant(connection: Connection): Promise<Merchant> {
  return connect(connection, SECOND_SHOP)
}

export async function connect(
  { sandbox, timeline, callbacks }: Connection,
  { key, secret, controls }: Account = FIRST_SHOP,
) {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const request = posted(body, headers)
    return sandbox.app.request(path, typeof body === 'string' ? { ...request, body } : request)
  }

  const get = (path: string, headers: Record<string, string> = {}) => sandbox.app.request(path, { headers })

  const authenticate = async (): Promise<string> => {
    const answer = await post('/v1/auth', { consumer_key: key, consumer_secret: secret })
    return (await answer.json()).access_token
  }

  let token = await authenticate()
  const authorized = () => ({ 'x-access-token': token })
  const send = (path: string, body: unknown, headers: Record<string, string> = authorized()) =>
    post(path, body, headers)
  const read = async (path: string) => (await get(path, authorized())).json()

  const accepted = async (path: string, body: unknown) => {
    const answer = await send(path, body)
    if (!answer.ok) {
      throw new Error(await answer.text())
    }
    return answer.json()
  }

  const control = async (path: string, body?: unknown) =>
    (await (body === undefined ? get(`${controls}${path}`) : post(`${controls}${path}`, body))).json()
  const pay = (scenario: string | undefined, fields: object = {}, id = 'order-1') =>
    control(`/checkouts/${id}/pay`, { scenario, ...fields })
  const chargeStatus = (reference = charge.external_reference) => read(`${CHARGES}/${reference}/status`)
  const ledger = (reference = '') => control(`/ledger${reference && `?reference=${reference}`}`)

  return {
    sandbox,
    timeline,
    callbacks,
    post,
    get,
    send,
    read,
    accepted,
    control,
    ledger,
    pay,
    chargeStatus,
    token: () => token,
    async renewToken() {
      token = await authenticate()
    },
    later: (ms: number) => timeline.advance(ms),
    async refusal(path: string, body: unknown) {
      const answer = await send(path, body)
      if (answer.ok) {
        throw new Error(await answer.text())
      }
      return { http: answer.status, ...(await answer.json()) }
    },
    deliveries: async (reference: string) => (await control(`/callbacks?reference=${reference}`)).callbacks,
    balance: async (account = 'ACC-001') => (await read(`/v1/accounts/${account}/balance`)).balance,
    rate: async (from: string, to: string) => (await read(`/v1/fx?base_currency=${from}`)).rates[to].buying,
    async balanceOf(account: string): Promise<string> {
      const { accounts } = await ledger()
      return accounts.find((one: { account: string }) => one.account === account)?.balance ?? '0.00'
    },

    begin: (fields: object = {}) => accepted(CHECKOUTS, request(fields)),
    status: (id = 'order-1') => read(`/v2/checkout/status/${id}`),

    charge: (fields: object = {}) => accepted(CHARGES, { ...charge, ...fields }),
    redirect: (fields: object = {}) => accepted(CHARGES, { ...redirectCharge, ...fields }),
    payCharge: (scenario: string | undefined, fields: object = {}, id = charge.external_reference) =>
      pay(scenario, fields, id),
    async paid(fields: object = {}): Promise<string> {
      const { external_reference } = await accepted(CHARGES, { ...charge, ...fields })
      await timeline.advance(5 * SECOND)
      return (await chargeStatus(external_reference)).payments.at(-1).transaction_id
    },
    confirm: (payment_id: string, status = 'SUCCESSFUL', narration = 'Delivered') =>
      send(CONFIRM, { payment_id, status, narration }),

    payoutStatus: (reference = 'payout-1') => read(`/v1/payouts/${reference}/status`),
    b2bStatus: (reference = 'payout-1') => read(`/v1/payouts/b2b/${reference}/status`),
    play: (scenario: unknown, reference = 'payout-1') =>
      post(`${controls}/payouts/${reference}/play`, { scenario }),

    buy: (recipients: object[] = airtime.recipients, reference = 'AIRTIME-1') =>
      accepted(AIRTIME, { reference, recipients }),
    entries: (reference = 'AIRTIME-1'): Promise<Entry[]> => read(`/v1/gw/airtime/${reference}/status`),
    playAirtime: (scenario: unknown, phone = '254700000001', reference = 'AIRTIME-1') =>
      post(`${controls}/airtime/${reference}/${phone}/play`, { scenario }),
  }
}

export interface Entry {
  phone_number: string
  service_status: number
}

// [spec: Standard checkout request]
export const request = (fields: object = {}) => ({
  ...initiateRequest,
  merchant_transaction_id: 'order-1',
  amount: 500,
  callback_url: `${CALLBACKS}/checkouts`,
  redirect_url: 'https://shop.example/return/1',
  ...fields,
})

// The fee is KES 12.50. [spec: Local payout request]
export const payout = (fields: object = {}) => ({
  ...localPayout,
  payout_reference: 'payout-1',
  sender_amount: '1000',
  recipient_amount: '1000',
  callback_url: `${CALLBACKS}/payouts`,
  ...fields,
})

// The fee is KES 30.00. [spec: B2B payout request]
export const b2b = (fields: object = {}) => ({
  ...b2bPayout,
  payout_reference: 'payout-1',
  amount: '2500.50',
  callback_url: `${CALLBACKS}/b2b`,
  ...fields,
})

export const to = (digits: string, amount: unknown = '100') => ({ phone_number: `25470000${digits}`, amount })

function parsed(text: string): Payload | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
