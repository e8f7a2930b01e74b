import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createSandbox, createTimeline } from '../../demo/sandbox/index.ts'
import type { AddressInfo } from 'node:net'
import type { ChargeDialect } from '../../demo/sandbox/index.ts'

const START = Date.UTC(2026, 10, 21, 9)

/** Any JSON value. The type is `any`, because checks read fields that may be absent. */
export type Json = Awaited<ReturnType<Response['json']>>

export function parseJson(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export interface Connection {
  baseUrl: string
  fetch(url: string, init: ConnectionInit): Response | Promise<Response>
  credentials: Credentials
  /** How charges are served, and under which paths. The specification shows neither. Default: as by our sandbox. */
  charges?: Charges
  callbackReceiver?: CallbackReceiver
}

export interface Charges {
  /**
   * `spec`: the state of a charge is that of a checkout. `flat`: one payment record is its state, and there is no hosted
   * page.
   */
  dialect: ChargeDialect
  path: string
  /** The path of the status, with `:external_reference` or `:charge_request_id`. */
  statusPath: string
}

export const OUR_CHARGES = {
  spec: { dialect: 'spec', path: '/v1/charges', statusPath: '/v1/charges/:external_reference/status' },
  flat: {
    dialect: 'flat',
    path: '/v1/mobile-money/charge',
    statusPath: '/v1/transaction/:charge_request_id/status',
  },
} as const satisfies Record<ChargeDialect, Charges>

export interface ConnectionInit {
  method: string
  headers: Record<string, string>
  body?: string
  redirect: 'manual'
}

export interface Credentials {
  consumer_key: string
  consumer_secret: string
  account_number: string
  client_code: string
  services: Record<ServiceKind, string>
  // Every list of splits must contain the `dynamic` account. [spec: "must be included in every request"]
  partners: { plain: string; dynamic: string }
  currency: string
  country: string
  wallet: string
  msisdn: string
}

export type ServiceKind = 'checkout' | 'payout' | 'transfer' | 'b2b'

export const SEEDED: Credentials = {
  consumer_key: 'sandbox-key',
  consumer_secret: 'sandbox-secret',
  account_number: 'ACC-001',
  client_code: 'SANDBOX',
  services: { checkout: 'CHECKOUT-KES', payout: 'PAYOUT-KES', transfer: 'IMT-KES', b2b: 'B2B-KES' },
  partners: { plain: 'PARTNER-001', dynamic: 'PARTNER-FEES' },
  currency: 'KES',
  country: 'KEN',
  wallet: 'MOMO_KEN',
  msisdn: '254700000001',
}

export function connectToSandbox(
  charges: ChargeDialect = 'spec',
): Connection & Required<Pick<Connection, 'callbackReceiver'>> {
  const callbackReceiver = createCallbackReceiver('http://127.0.0.1:9')
  const { app } = createSandbox({
    seed: 1,
    charges,
    timeline: createTimeline({ wall: null, start: START }),
    fetch(url, { method, headers, body }) {
      const callback = { method, contentType: headers['content-type'] ?? '', body: parseJson(body) }
      const status = callbackReceiver.receive(url, callback)
      return new Response(null, { status })
    },
  })
  return {
    baseUrl: 'http://127.0.0.1:4010',
    fetch: (url, init) => app.request(url, init),
    credentials: SEEDED,
    // Our paths are the default where the gateway has our control.
    ...(charges === 'flat' && { charges: OUR_CHARGES.flat }),
    callbackReceiver,
  }
}

/**
 * Connects to the gateway that the `CONFORMANCE_*` variables describe. Resolves with `null` if `CONFORMANCE_BASE_URL`
 * is not set.
 */
export async function connectFromEnvironment(
  env: NodeJS.ProcessEnv,
): Promise<(Connection & { close(): void }) | null> {
  const baseUrl = env.CONFORMANCE_BASE_URL?.replace(/\/$/, '')
  if (!baseUrl) return null
  const {
    CONFORMANCE_FX_BASE_URL: rates = baseUrl,
    CONFORMANCE_ACKNOWLEDGE_BASE_URL: confirmations = baseUrl,
  } = env
  // Exchange rates and service confirmations may have base URLs of their own. [spec: Endpoints, note 1]
  const addressOf = (url: string) =>
    url
      .replace(`${baseUrl}/v1/fx`, `${rates.replace(/\/$/, '')}/v1/fx`)
      .replace(`${baseUrl}/transactions/`, `${confirmations.replace(/\/$/, '')}/transactions/`)
  const publicOrigin = env.CONFORMANCE_CALLBACK_URL
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname)
  const listening =
    isHere || publicOrigin
      ? await listenForCallbacks({
          port: Number(env.CONFORMANCE_CALLBACK_PORT ?? 0),
          ...(publicOrigin && { publicOrigin: publicOrigin.replace(/\/$/, '') }),
        })
      : null
  return {
    baseUrl,
    fetch: (url, init) => fetch(addressOf(url), init),
    credentials: {
      consumer_key: env.CONFORMANCE_CONSUMER_KEY ?? SEEDED.consumer_key,
      consumer_secret: env.CONFORMANCE_CONSUMER_SECRET ?? SEEDED.consumer_secret,
      account_number: env.CONFORMANCE_ACCOUNT_NUMBER ?? SEEDED.account_number,
      client_code: env.CONFORMANCE_CLIENT_CODE ?? SEEDED.client_code,
      services: {
        checkout: env.CONFORMANCE_CHECKOUT_SERVICE ?? SEEDED.services.checkout,
        payout: env.CONFORMANCE_PAYOUT_SERVICE ?? SEEDED.services.payout,
        transfer: env.CONFORMANCE_TRANSFER_SERVICE ?? SEEDED.services.transfer,
        b2b: env.CONFORMANCE_B2B_SERVICE ?? SEEDED.services.b2b,
      },
      partners: {
        plain: env.CONFORMANCE_PARTNER ?? SEEDED.partners.plain,
        dynamic: env.CONFORMANCE_DYNAMIC_PARTNER ?? SEEDED.partners.dynamic,
      },
      currency: env.CONFORMANCE_CURRENCY ?? SEEDED.currency,
      country: env.CONFORMANCE_COUNTRY ?? SEEDED.country,
      wallet: env.CONFORMANCE_WALLET ?? SEEDED.wallet,
      msisdn: env.CONFORMANCE_MSISDN ?? SEEDED.msisdn,
    },
    ...chargesFrom(env),
    ...(listening && { callbackReceiver: listening.receiver }),
    close: () => listening?.close(),
  }
}

/** Returns the settings of charges; nothing if no `CONFORMANCE_CHARGE*` variable is set. */
function chargesFrom(env: NodeJS.ProcessEnv): Pick<Connection, 'charges'> {
  const dialect = env.CONFORMANCE_CHARGES === 'flat' ? 'flat' : 'spec'
  if (!env.CONFORMANCE_CHARGES && !env.CONFORMANCE_CHARGE_PATH) return {}
  const path = env.CONFORMANCE_CHARGE_PATH ?? OUR_CHARGES[dialect].path
  const usual = dialect === 'spec' ? `${path}/:external_reference/status` : OUR_CHARGES.flat.statusPath
  return { charges: { dialect, path, statusPath: env.CONFORMANCE_CHARGE_STATUS_PATH ?? usual } }
}

export interface Callback {
  method: string
  contentType: string
  body: Json
}

export interface Mailbox {
  url: string
  received: Callback[]
  answers: number
}

export interface CallbackReceiver {
  open(): Mailbox
  receive(url: string, callback: Callback): number
}

export function createCallbackReceiver(origin: string): CallbackReceiver {
  const mailboxes = new Map<string, Mailbox>()
  return {
    open() {
      const path = `/callbacks/${randomUUID()}`
      const mailbox: Mailbox = { url: origin + path, received: [], answers: 200 }
      mailboxes.set(path, mailbox)
      return mailbox
    },
    receive(url, callback) {
      const path = new URL(url).pathname
      const mailbox = mailboxes.get(path.split('/').slice(0, 3).join('/'))
      mailbox?.received.push(callback)
      return mailbox?.answers ?? 404
    },
  }
}

export async function listenForCallbacks({ port, publicOrigin }: { port: number; publicOrigin?: string }) {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', headers } = request
      const callback = { method, contentType: headers['content-type'] ?? '', body: parseJson(body) }
      response.statusCode = receiver.receive(`http://localhost${request.url}`, callback)
      response.end('OK')
    })
  })
  await new Promise<void>((resolve, reject) =>
    server.listen(port, '127.0.0.1', resolve).once('error', reject),
  )
  // `address()` returns a string only for pipes.
  const address = server.address() as AddressInfo
  const receiver = createCallbackReceiver(publicOrigin ?? `http://127.0.0.1:${address.port}`)
  return { receiver, close: () => server.close() }
}
