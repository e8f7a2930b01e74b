/** A gateway as the checks use it: sends requests with a token, and knows which features the gateway lacks. */

import { OUR_CHARGES, parseJson } from './connection.ts'

import type { Connection, Credentials, Json, Mailbox, NewProduction } from './connection.ts'

/** The features that a check may need of a gateway, as the report names them. */
export const NEEDS = {
  control: 'control: a /_sandbox, to pay as a customer, to decide as an operator and to move time',
  callbacks: 'callbacks: an address that the gateway can reach (CONFORMANCE_CALLBACK_URL)',
  charges: 'charges: their path (CONFORMANCE_CHARGE_PATH)',
  pages: 'pages: charges with a hosted page (CONFORMANCE_CHARGES=spec)',
  records: 'records: the state of a charge as one payment record (CONFORMANCE_CHARGES=flat)',
  'disabled service': 'a service that is switched off (CONFORMANCE_DISABLED_SERVICE)',
  'foreign service': 'a service of another merchant (CONFORMANCE_FOREIGN_SERVICE)',
  partners: 'partners (CONFORMANCE_PARTNER and CONFORMANCE_DYNAMIC_PARTNER)',
  portal: 'a user of the portal of our sandbox (CONFORMANCE_PORTAL_USER and CONFORMANCE_PORTAL_PASSWORD)',
  sandbox: 'a sandbox environment (CONFORMANCE_ENVIRONMENT=sandbox)',
  environments: 'the keys of a second environment (CONFORMANCE_OTHER_BASE_URL and others)',
  production: 'a new look-alike of production (CONFORMANCE_NEW_BASE_URL and others)',
} as const
export type Need = keyof typeof NEEDS

export interface Answer {
  status: number
  contentType: string
  body: Json
  text: string
}

export interface Gateway {
  readonly credentials: Credentials
  /** Returns those of the needed features that the gateway does not have. */
  lacks(needs: readonly Need[]): Need[]
  /** Sends a request without an access token. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string): Promise<Answer>
  /** Resolves with the body. Rejects unless the status is one of success. */
  read(path: string): Promise<Json>
  post(path: string, body: unknown): Promise<Answer>
  /** Resolves with a new access token. */
  token(): Promise<string>
  chargePath(): string
  chargeStatusPath(ids: { external_reference: string; charge_request_id: string }): string
  /** Returns a new address for callbacks, with those that it received. */
  mailbox(): Mailbox
  /** Calls the control API of a sandbox (`/_sandbox`). */
  control(path: string, body?: object): Promise<Json>
  /** Makes a sandbox act as the customer or the operator, and waits for the callbacks about it. */
  simulate(path: string, body: object): Promise<void>
  /** Resolves with the time of the sandbox, in milliseconds since the Unix epoch. */
  now(): Promise<number>
  /** Advances the clock of a sandbox. What is due by then happens. */
  advanceClock(ms: number): Promise<void>
  /** Resolves with the HTML of the hosted page. */
  page(url: string): Promise<string>
  /** Sends a form of the hosted page. */
  submit(url: string, form: Record<string, string>): Promise<void>
  otherEnvironment(): Promise<Gateway>
  /** Resolves with a look-alike of production whose onboarding is still to do. */
  newProduction(): Promise<NewProduction>
  /** Resolves with the HTML of a page of the merchant portal, as its owner sees it. */
  portalPage(path: string): Promise<string>
  /**
   * Calls `make` at the first use of `name`. Later calls with this name resolve with the first result: checks that only
   * read share one sample, for as long as this object is used.
   */
  remember<T>(name: string, make: () => Promise<T>): Promise<T>
}

/** Sandboxes send a callback a quarter of a second after a change. */
const UNTIL_CALLBACKS_MS = 1_000

export async function openGateway(connection: Connection): Promise<Gateway> {
  const { credentials, callbackReceiver, charges = OUR_CHARGES.spec } = connection
  const remembered = new Map<string, Promise<unknown>>()
  let token: Promise<string> | null = null

  async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const content = body === undefined ? null : { 'content-type': 'application/json' }
    const sentBody = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await connection.fetch(connection.baseUrl + path, {
      method,
      headers: { ...content, ...headers },
      redirect: 'manual',
      ...(content && { body: sentBody }),
    })
    const text = await response.text()
    const contentType = response.headers.get('content-type') ?? ''
    return { status: response.status, contentType, text, body: parseJson(text) }
  }

  async function authenticate(): Promise<string> {
    const { consumer_key, consumer_secret } = credentials
    return (await ask('POST', '/v1/auth', { consumer_key, consumer_secret })).body?.access_token
  }

  // Checks advance the clock, so a token may expire. After a 401 or 403, the request is repeated with a new token.
  async function authorized(method: string, path: string, body?: unknown): Promise<Answer> {
    token ??= authenticate()
    const answer = await ask(method, path, body, tokenHeader(path, await token))
    if (answer.status !== 401 && answer.status !== 403) {
      return answer
    }

    token = authenticate()
    return ask(method, path, body, tokenHeader(path, await token))
  }

  async function read(path: string): Promise<Json> {
    const { status, body, text } = await authorized('GET', path)
    if (!isSuccess(status)) {
      throw new Error(`GET ${path}: ${status} ${text}`)
    }
    return body
  }

  async function control(path: string, body?: object): Promise<Json> {
    const method = body === undefined ? 'GET' : 'POST'
    const answer = await ask(method, `/_sandbox${path}`, body)
    if (answer.status >= 400) {
      throw new Error(`${method} /_sandbox${path}: ${answer.status} ${answer.text}`)
    }
    return answer.body
  }

  const advanceClock = (ms: number) => control('/clock/advance', { seconds: ms / 1000 })

  // Only a sandbox has a clock.
  const clock = await ask('GET', '/_sandbox/clock').catch((cause: unknown) => {
    throw new Error(`No gateway answers at ${connection.baseUrl}.`, { cause })
  })
  const isControlled = clock.status === 200 && typeof clock.body?.now === 'string'
  const isSandbox = connection.environment !== 'production'
  const has: Record<Need, boolean> = {
    control: isControlled,
    callbacks: callbackReceiver !== undefined,
    charges: isControlled || connection.charges !== undefined,
    pages: charges.dialect === 'spec',
    records: charges.dialect === 'flat',
    'disabled service': credentials.services.disabled !== undefined,
    'foreign service': credentials.services.foreign !== undefined,
    partners: credentials.partners !== undefined,
    portal: connection.portal !== undefined,
    sandbox: isSandbox,
    environments: connection.other !== undefined,
    // Production is shown to refuse the keys of the sandbox, which are those of this gateway or of the other one.
    production: connection.newProduction !== undefined && (isSandbox || connection.other !== undefined),
  }

  return {
    credentials,
    ask,
    control,
    read,
    lacks: (needs) => needs.filter((need) => !has[need]),
    chargePath: () => charges.path,
    chargeStatusPath: ({ external_reference, charge_request_id }) =>
      charges.statusPath
        .replace(':external_reference', external_reference)
        .replace(':charge_request_id', charge_request_id),
    get: (path) => authorized('GET', path),
    post: (path, body) => authorized('POST', path, body),
    token: () => (token = authenticate()),
    mailbox: () =>
      callbackReceiver?.open() ?? { url: 'https://callbacks.example/nobody', received: [], answers: 200 },
    now: async () => Date.parse((await control('/clock')).now),
    advanceClock,
    async simulate(path, body) {
      await control(path, body)
      await advanceClock(UNTIL_CALLBACKS_MS)
    },
    page: async (url) =>
      (await connection.fetch(url, { method: 'GET', headers: {}, redirect: 'manual' })).text(),
    async submit(url, form) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const body = new URLSearchParams(form).toString()
      const { status } = await connection.fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
      if (status >= 400) {
        throw new Error(`The hosted page answered ${status} to ${body}.`)
      }
    },
    async otherEnvironment() {
      if (!connection.other) {
        throw new Error('There is no second environment.')
      }
      return openGateway(await connection.other())
    },
    async newProduction() {
      if (!connection.newProduction) {
        throw new Error('There is no new production environment.')
      }
      return connection.newProduction()
    },
    async portalPage(path) {
      if (!connection.portal) {
        throw new Error('There is no portal.')
      }
      return connection.portal(path)
    },
    async remember<T>(name: string, make: () => Promise<T>) {
      const made = remembered.get(name) ?? make()
      remembered.set(name, made)
      // For each name, all calls have one result type.
      return made as Promise<T>
    },
  }
}

// The specification shows 200 for one endpoint, and no HTTP status of success for the others. [spec: Endpoints, note 3]
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

// [spec: Endpoints, note 4]
export function tokenHeader(path: string, token: string): Record<string, string> {
  return { [path === '/v1/payouts/imt/initiate' ? 'authorization' : 'x-access-token']: token }
}

type Setting = 'airtime_callback_url' | 'charge_callback_url' | 'b2c_callback_url'

/** Calls `run` with a mailbox whose address is set in the portal of a sandbox, and removes the address after it. */
export async function withPortal(
  gateway: Gateway,
  setting: Setting,
  run: (mailbox: Mailbox) => Promise<void>,
): Promise<void> {
  const mailbox = gateway.mailbox()
  await gateway.control('/portal', { [setting]: mailbox.url })
  try {
    await run(mailbox)
  } finally {
    await gateway.control('/portal', { [setting]: null })
  }
}
