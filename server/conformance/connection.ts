/** How the checks reach a gateway: its URL, the credentials, and a receiver for callbacks. */

import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

import type { ChargeDialect, Environment } from '../../demo/sandbox/index.ts'
import type { LivePortal } from './live-portal.ts'
import type { AddressInfo } from 'node:net'

/** Any JSON value. The type is `any`, because checks read fields that may be absent. */
export type Json = ReturnType<typeof JSON.parse>

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
  /** The form and the paths of charges, which the specification does not show. Default: those of our sandbox. */
  charges?: Charges
  callbackReceiver?: CallbackReceiver
  /** Default: `sandbox`. */
  environment?: Environment
  /** Resolves with the other environment of the gateway. */
  other?: () => Promise<Connection>
  /** Resolves with the HTML of a page of the merchant portal, as its owner sees it. */
  portal?: (path: string) => Promise<string>
  /** Resolves with a look-alike of production whose onboarding is still to do. */
  newProduction?: () => Promise<NewProduction>
}

export interface NewProduction {
  /** Without credentials: the checks create them in the portal. */
  connection: Omit<Connection, 'credentials'>
  portal: LivePortal
}

export interface Charges {
  /**
   * `spec`: the state of a charge is that of a checkout. `flat`: one payment record is its state, and there is no
   * hosted page.
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
  services: Record<ServiceKind, string> & {
    /** A service of the merchant that is switched off. */
    disabled?: string | undefined
    /** A service of another merchant. */
    foreign?: string | undefined
  }
  /** Every list of splits must contain the `dynamic` account. [spec: "must be included in every request"] */
  partners?: { plain: string; dynamic: string } | undefined
  currency: string
  country: string
  wallet: string
  msisdn: string
}

export type ServiceKind = 'checkout' | 'payout' | 'transfer' | 'b2b'

/** The credentials with which our sandbox begins. */
export const SEEDED = {
  consumer_key: 'sandbox-key',
  consumer_secret: 'sandbox-secret',
  account_number: 'ACC-001',
  client_code: 'SANDBOX',
  services: {
    checkout: 'CHECKOUT-KES',
    payout: 'PAYOUT-KES',
    transfer: 'IMT-KES',
    b2b: 'B2B-KES',
    disabled: 'OLD-CHECKOUT-KES',
    foreign: 'SECOND-CHECKOUT-KES',
  },
  partners: { plain: 'PARTNER-001', dynamic: 'PARTNER-FEES' },
  currency: 'KES',
  country: 'KEN',
  wallet: 'MOMO_KEN',
  msisdn: '254700000001',
} satisfies Credentials

export interface Callback {
  method: string
  contentType: string
  body: Json
}

export interface Mailbox {
  url: string
  received: Callback[]
  /** The HTTP status of the response to each callback. */
  answers: number
}

export interface CallbackReceiver {
  open(): Mailbox
  /** Puts a callback into the mailbox of its URL, and returns the HTTP status of the response. */
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
      // A check of the longest callback URL appends to it.
      const ownPath = path.split('/').slice(0, 3).join('/')
      const mailbox = mailboxes.get(ownPath)
      mailbox?.received.push(callback)
      return mailbox?.answers ?? 404
    },
  }
}

/** @param publicOrigin Where the gateway reaches this port. Default: at 127.0.0.1. */
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
