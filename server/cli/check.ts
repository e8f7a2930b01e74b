/**
 * The command `check`, which checks whether the server is ready for production. The command also prints the callback
 * URLs that the merchant registers in the merchant portal. It changes nothing, in a backend that does what it should.
 */

import type { Command } from 'commander'
import type { Config, ServiceCodes } from '../config/config.ts'
import type { Exchange } from '../http/exchange.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Colour } from '../log/colours.ts'
import type { ResultOptions } from './command.ts'
import type { Shell } from './shell.ts'
import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { createPortalAddress } from '../callbacks/portal-address.ts'
import { readCharge } from '../charges/record.ts'
import { ConfigError, readConfig } from '../config/config.ts'
import { entriesOf, valueFor } from '../config/gateway.ts'
import { isPrivateHost } from '../config/targets.ts'
import { exchange } from '../http/exchange.ts'
import { createGatewayClient } from '../gateway/client.ts'
import { GatewayError } from '../gateway/errors.ts'
import { accountOf } from '../store/merchant.ts'
import { printable } from '../log/printable.ts'
import { systemRandomness } from '../work/randomness.ts'
import { deletedByBuild, placeOf, sqliteFileOf } from '../store/open.ts'
import { addQuery, showResult } from './command.ts'
import { pingEvent, send } from './events.ts'
import { CommandFailure, EXIT } from './exit-code.ts'
import { withStore } from './open-store.ts'

/** One line of the result. */
export interface Finding {
  what: string
  /**
   * The result of the check. A `problem` makes the command fail, and so does `later`: in the sandbox, it is what only
   * production needs. A person has to decide whether a `note` matters.
   */
  kind: 'fine' | 'note' | 'later' | 'problem'
  detail: string
}
type Kind = Finding['kind']

/** What a check found. `what` is absent if it is the name of the check. In production, `later` is a problem. */
type Found = Omit<Finding, 'what'> & { what?: string }
const found = (kind: Kind) => (detail: string, what?: string) => ({ kind, detail, ...(what && { what }) })
const [fine, note, later, problem] = [found('fine'), found('note'), found('later'), found('problem')]

type Ask = (method: string, url: string, headers?: Record<string, string>, body?: string) => Promise<Exchange>

interface Given {
  shell: Shell
  config: Config
  client: GatewayClient
  /** Sends a request to the merchant's backend. */
  askBackend: Ask
  /** Sends a request to PUBLIC_URL, whose host may resolve to a private address inside the merchant's network. */
  askServer: Ask
}

/** The checks by their names, in the order of the findings. */
const CHECKS: Readonly<Record<string, (given: Given) => Found | Found[] | Promise<Found | Found[]>>> = {
  environment: ({ config: { environment } }) =>
    environment === 'production'
      ? fine('GATEWAY_ENVIRONMENT is production.')
      : later('GATEWAY_ENVIRONMENT is sandbox: no real money moves.'),
  https: ({ config: { publicUrl } }) =>
    publicUrl.startsWith('https:')
      ? fine('PUBLIC_URL is https.')
      : later('PUBLIC_URL is not https; the gateway sends callbacks to https addresses only.'),
  api: ({ config: { apiKeys } }) =>
    apiKeys ? fine('The merchant API is on.') : note('MERCHANT_API_KEY is not set: the merchant API is off.'),
  limits: ({ config: { trustedProxies } }) =>
    trustedProxies
      ? fine('TRUSTED_PROXIES is set: requests are limited per address.')
      : later(
          'TRUSTED_PROXIES is not set: a client that sends X-Forwarded-For escapes every limit per address. Set it to the addresses of your proxies, or to "none".',
        ),
  warnings: ({ config }) =>
    config.warnings.map(({ about, text }) => (about === 'files' ? note : problem)(text, about)),
  rehearsal: ({ config: { environment, isRehearsal } }) =>
    environment === 'production' && isRehearsal
      ? problem('GATEWAY_REHEARSAL is set: the gateway may be a look-alike without real money.')
      : [],
  configuration: checkForProduction,
  store: checkStore,
  orders: checkOrders,
  events: checkWebhook,
  account: checkAccounts,
  service: checkServices,
  charges: checkCharges,
  address: checkAddress,
  origins: checkOrigins,
}

const SHOWN = {
  fine: ['✓', 'green'],
  note: ['·', 'dim'],
  later: ['→', 'yellow'],
  problem: ['✗', 'red'],
} as const satisfies Record<Kind, readonly [string, Colour]>
const LIMITS = { deadlineMs: 8_000, maxAnswerBytes: 64_000 }

export function addCheck(program: Command, shell: Shell): void {
  const text = 'check whether the server is ready for production, and print the addresses for the portal'
  addQuery(program, 'check', text, 'check').action((options: ResultOptions) => check(shell, options))
}

async function check(shell: Shell, options: ResultOptions): Promise<void> {
  const config = readConfig(shell.env)
  const findings = await shell.waitFor('Querying the gateway and your backend', findAll(shell, config))
  const isWrong = findings.some(({ kind }) => kind === 'problem')
  const ready = !isWrong && !findings.some(({ kind }) => kind === 'later')
  const addresses = {
    portal_callback_url: createPortalAddress('payouts', config).url,
    portal_charge_callback_url: createPortalAddress('charges', config).url,
    portal_airtime_callback_url: createPortalAddress('airtime', config).url,
  }
  if (!options.json)
    for (const { kind, what, detail } of findings) {
      const [mark, colour] = SHOWN[kind]
      shell.print(`${mark} ${what}: ${printable(detail)}`, colour)
    }
  const notReady = isWrong
    ? 'Not ready for production: see the lines marked ✗.'
    : 'Nothing is wrong in the sandbox. Production needs what the lines marked → say.'
  const text = `
Callback URLs to enter in the merchant portal:
  payouts (B2C)  ${addresses.portal_callback_url}
  charges        ${addresses.portal_charge_callback_url}
  airtime        ${addresses.portal_airtime_callback_url}
Each checkout and payout request carries its own callback URL.

${ready ? 'Ready for production.' : notReady}`
  showResult(shell, options, { ready, findings, ...addresses }, () => text)
  shell.exitCode = ready ? EXIT.ok : EXIT.refused
}

/** Runs all checks at once. What only production needs comes last. */
async function findAll(shell: Shell, config: Config): Promise<Finding[]> {
  const { baseUrl, fxBaseUrl, consumerKey, consumerSecret } = config.gateway
  const { clock } = shell
  const asking = (privateHosts: Config['privateHosts']): Ask => {
    const fetch = shell.fetchFor({ privateHosts })
    return (method, url, headers = {}, body) =>
      exchange(fetch, clock, { method, url, headers, body, ...LIMITS })
  }
  const credentials = { consumer_key: consumerKey, consumer_secret: consumerSecret.reveal() }
  const fetch = shell.fetchFor(config)
  const client = createGatewayClient({ baseUrl, fxBaseUrl, credentials, fetch, clock })
  const given = { shell, config, client, askBackend: asking(config.privateHosts), askServer: asking('any') }
  const checked = Object.entries(CHECKS).map(async ([name, run]) =>
    [await run(given)].flat().map(({ what = name, kind, detail }) => {
      const isProblem = kind === 'later' && config.environment === 'production'
      return { what, kind: isProblem ? ('problem' as const) : kind, detail }
    }),
  )
  const isLater = ({ kind }: Finding) => Number(kind === 'later')
  return (await Promise.all(checked)).flat().toSorted((one, other) => isLater(one) - isLater(other))
}

/** Validates the configuration of a sandbox as if its environment were production. */
function checkForProduction({ shell, config: { environment, warnings } }: Given): Found[] {
  try {
    if (environment === 'sandbox')
      readConfig({ ...shell.env, GATEWAY_ENVIRONMENT: 'production', GATEWAY_REHEARSAL: undefined })
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // The warnings have a line already.
    const problems = error.problems.filter((detail) => !warnings.some(({ text }) => text === detail))
    return problems.map((detail) => later(detail))
  }
}

/** Writes to the store as `/health/ready` does. Creates no SQLite file, which would belong to the wrong user. */
async function checkStore({ config }: Given): Promise<Found> {
  const url = config.storeUrl.reveal()
  if (url === 'sqlite::memory:') return note('STORE_URL is in memory: a restart loses every payment.')
  const deleted = deletedByBuild(url)
  if (deleted !== null) return problem(deleted)
  const place = placeOf(url).replace(/^t/, 'T')
  const file = sqliteFileOf(url)
  if (file !== null && !existsSync(file))
    return existsSync(dirname(file))
      ? note(`${place} does not exist yet. The server creates it at its first start.`)
      : problem(`${place} cannot be created: ${dirname(file)} does not exist.`)
  const failure = await withStore(config, async () => null).catch(failureOf)
  return failure ? problem(`${place}: ${failure.message}`) : fine(`${place} can be written.`)
}

/** Checks whether ORDERS_URL accepts ORDERS_TOKEN. A backend that does responds with 404 about an unknown reference. */
async function checkOrders({ config: { orders }, askBackend }: Given): Promise<Found> {
  if (!orders)
    return note(
      'None of ORDERS_URL, ORDER_SIGNING_KEY and ORDER_PUBLIC_KEYS is set: pass the function "orders" to embed, start or createApp.',
    )
  if (orders.kind === 'signed') return fine('Orders are signed.')
  const headers = { accept: 'application/json', authorization: `Bearer ${orders.token.reveal()}` }
  const url = `${orders.url}/check-${systemRandomness.uuid()}`
  const { kind, status, summary } = await askBackend('GET', url, headers)
  const answer = `ORDERS_URL ${summary}`
  if (kind !== 'answer') return problem(`${answer}${CURE[kind]}`)
  if (status === 404) return fine('ORDERS_URL was asked about an order that does not exist: HTTP 404.')
  return problem(
    status === 401 || status === 403
      ? `${answer}: it does not accept ORDERS_TOKEN, or does not receive the header Authorization.`
      : `${answer}, and must respond with 404, about an order that does not exist.`,
  )
}

/**
 * Checks whether MERCHANT_WEBHOOK_URL refuses an event that is signed with an empty key, as anybody can, and accepts one
 * that this server has signed.
 */
async function checkWebhook({ shell, config, askBackend }: Given): Promise<Found> {
  const { webhook } = config
  if (!webhook)
    return note(
      'MERCHANT_WEBHOOK_URL is not set: "serve" tells nobody of a payment. Only onEvent, in a server of your own, receives events without it.',
    )
  const id = `check-${systemRandomness.uuid()}`
  const now = shell.clock.now()
  const time = String(Math.floor(now / 1000))
  // No type of event that this server sends, so that a backend that accepts it fulfils nothing.
  const body = JSON.stringify({ type: 'check.forged', timestamp: new Date(now).toISOString(), data: {} })
  const signature = createHmac('sha256', '').update(`${id}.${time}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${signature}`,
  }
  const { kind, status, summary } = await askBackend('POST', webhook.url, headers, body)
  if (kind !== 'answer') return problem(`MERCHANT_WEBHOOK_URL ${summary}${CURE[kind]}`)
  if (status >= 200 && status <= 299)
    return problem(
      `MERCHANT_WEBHOOK_URL accepted a forged event with HTTP ${status}: anybody can tell it that an order is paid, or it is another page. Verify the signature, and refuse an empty MERCHANT_WEBHOOK_SECRET.`,
    )
  if (![400, 401, 403, 422].includes(status))
    return problem(`MERCHANT_WEBHOOK_URL ${summary} to a forged event, and must respond with 401.`)
  const sent = await send(shell, { ...config, webhook }, pingEvent(shell))
  return sent.accepted
    ? fine(`MERCHANT_WEBHOOK_URL refuses a forged event with HTTP ${status}, and accepts a signed one.`)
    : problem(
        `MERCHANT_WEBHOOK_URL does not accept a signed event, "ping", which it must, as any of a type that it does not know. ${sent.reason}`,
      )
}

const CURE = {
  timeout: '.',
  unreachable: ' from this machine. Is your backend running?',
  too_large: ': it is another page.',
} as const

/** Checks the credentials and the account numbers by querying each account's balance. The queries change nothing. */
function checkAccounts({ client, config: { gateway } }: Given): Promise<Found[]> {
  const nameOf = (_: string, wanted: string | null) => (wanted === null ? 'account' : `account ${wanted}`)
  return askEach(gateway.accountNumbers, nameOf, async (number, wanted) => {
    const { balance, currency } = await client.getBalance(number)
    return wanted === null || currency === wanted
      ? fine(`Authenticated; the balance of ${number} is ${balance} ${currency}.`)
      : problem(`GATEWAY_ACCOUNT_NUMBER has ${number} for ${wanted}, but this account is in ${currency}.`)
  })
}

/**
 * Checks each service code, which is the gateway's code for one of the merchant's services, by initiating a checkout
 * with the amount 1. No shopper sees this checkout, and its session expires after one minute.
 *
 * [assumed] The gateway validates a service code and its currency only when a checkout is initiated.
 */
function checkServices({ client, config: { gateway, publicUrl } }: Given): Promise<Found[]> {
  const { serviceCodes, accountNumbers } = gateway
  const [[, firstNumber] = [null, '']] = entriesOf(accountNumbers)
  const nameOf = (code: string) => `service ${code}`
  return askEach(serviceCodes, nameOf, async (service_code, currency) => {
    const request = {
      merchant_transaction_id: systemRandomness.uuid(),
      amount: 1,
      payer_name: 'Check before production',
      payer_email: 'check@example.com',
      payer_msisdn: '254700000000',
      service_code,
      account_number: valueFor(accountNumbers, currency) ?? firstNumber,
      expires_in: 1,
      narration: 'Check before production',
      callback_url: `${publicUrl}/callbacks/checkout/check`,
      redirect_url: `${publicUrl}/health/live`,
    }
    const initiated = await client.initiateCheckout(request, { currency })
    return fine(`Active; its currency is ${initiated.currency}.`)
  })
}

/** Asks the gateway about each configured value. A failed request is a problem. */
function askEach(
  values: ServiceCodes,
  nameOf: (value: string, currency: string | null) => string,
  ask: (value: string, currency: string | null) => Promise<Found>,
): Promise<Found[]> {
  const findings = entriesOf(values).map(async ([currency, value]) => {
    const failed = (error: unknown) => {
      if (error instanceof GatewayError) return problem(error.message)
      throw error
    }
    return { ...(await ask(value, currency).catch(failed)), what: nameOf(value, currency) }
  })
  return Promise.all(findings)
}

/** The outcomes that a status from the gateway causes. A refusal also causes `failed`. */
const ENDS = ['succeeded', 'reversed', 'refunded', 'failed'] as const

/**
 * Checks whether a status from the gateway has settled a charge of this merchant account. Sends no charge, because a
 * charge would take money.
 */
async function checkCharges({ config }: Given): Promise<Found> {
  const { charges } = config
  if (!charges) return note('GATEWAY_CHARGE_PATH is not set: charges and splits are off.')
  const account = accountOf(config)
  const read = withStore(config, (store) =>
    Promise.all(ENDS.map((outcome) => store.search(account, 'charge', { outcome, limit: 100 }))),
  )
  // The check of the store reports that it cannot be used.
  const rows = await read.catch(failureOf)
  const isProven =
    !(rows instanceof CommandFailure) &&
    rows.flat().some((row) => {
      const { record } = readCharge(row)
      return record.phase === 'posted' && record.settled_at !== null
    })
  const paths = `Charges are sent to ${charges.path} and queried at ${charges.statusPath}.`
  return isProven
    ? fine(`${paths} A charge has been followed to its end.`)
    : note(
        `${paths} Unproven: no charge has been followed to its end yet. Send one of a small amount, and query it.`,
      )
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error
  throw error
}

/** Checks whether this server responds at PUBLIC_URL, and whether it can store a payment. */
async function checkAddress({ config: { publicUrl }, askServer }: Given): Promise<Found | Found[]> {
  const url = `${publicUrl}/health/live`
  const live = await askServer('GET', url)
  const { kind, summary } = live
  if (kind === 'unreachable') return problem(`${url} ${summary} from this machine. Is the server running?`)
  if (live.kind !== 'answer' || live.status !== 200 || !/"status":\s*"live"/.test(live.text))
    return problem(`${url} ${summary}: it is not this server.`)
  const ready = await askServer('GET', `${publicUrl}/health/ready`)
  return [
    fine(`${url} is served by this server, as seen from this machine.`),
    ready.kind === 'answer' && ready.status === 200
      ? fine('The running server is ready: it can store a payment.', 'ready')
      : problem(
          `${publicUrl}/health/ready ${ready.summary}: the running server cannot store a payment; the log has the reason.`,
          'ready',
        ),
  ]
}

/** Checks the origins themselves, and whether the server at PUBLIC_URL allows them to read its responses. */
async function checkOrigins({ config, askServer }: Given): Promise<Found | Found[]> {
  const { allowedOrigins, publicUrl, environment } = config
  const { origin: own } = new URL(publicUrl)
  if (allowedOrigins.length === 0)
    return note(`ALLOWED_ORIGINS is not set: only pages of ${own} can take payments.`)
  const wrong = allowedOrigins.flatMap((origin) => {
    const rule = ruleBrokenBy(new URL(origin))
    return rule === null ? [] : [later(`ALLOWED_ORIGINS has ${origin}: ${rule}.`)]
  })
  if (environment === 'production' && wrong.length > 0) return wrong
  const asked = allowedOrigins.slice(0, 5).map(async (origin) => {
    // The request that browsers send before others. It starts no checkout.
    const headers = { origin, 'access-control-request-method': 'POST' }
    const response = await askServer('OPTIONS', `${publicUrl}/checkout/initiate`, headers)
    // The check of the address names a redirect, and a server that does not answer.
    if (response.kind !== 'answer' || response.status >= 300) return []
    return response.headers?.get('access-control-allow-origin') === origin ? [] : [origin]
  })
  const names = (await Promise.all(asked)).flat().join(', ')
  if (names !== '')
    return problem(`The server at ${publicUrl} refuses pages of ${names}: restart it, or look at its proxy.`)
  const pages = new Set([own, ...allowedOrigins])
  return [...wrong, fine(`Pages of ${[...pages].join(', ')} can take payments.`)]
}

function ruleBrokenBy({ protocol, hostname }: URL): string | null {
  // A page inside an app, such as capacitor://localhost, is on the shopper's own device.
  if (!/^https?:$/.test(protocol)) return null
  if (isPrivateHost(hostname)) return 'shoppers cannot open a page there'
  return protocol === 'https:' ? null : 'the pages of a shop must be https'
}
