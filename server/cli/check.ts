/**
 * The command `check`, which checks whether the server is ready for production, and prints the callback URLs for the
 * merchant portal. It changes no payment and no order.
 */

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

import { eventAbout } from '../api/sample-event.ts'
import { readCharge } from '../charges/record.ts'
import {
  ConfigError,
  describeHeld,
  describeProxy,
  problemsAt,
  readConfig,
  warningsAt,
} from '../config/config.ts'
import { valueFor } from '../config/gateway.ts'
import { UNLIMITED } from '../config/rules.ts'
import { Secret } from '../config/secret.ts'
import { deletedByBuild, describePlace, storePlaceOf } from '../config/store-url.ts'
import { createGatewayClient } from '../gateway/client.ts'
import { GatewayError } from '../gateway/errors.ts'
import { describeSkew, MAX_SKEW_MS, SKEW_DOES } from '../gateway/gateway-clock.ts'
import { exchange, isSuccess } from '../http/exchange.ts'
import { printable } from '../log/printable.ts'
import { trialOf } from '../notices/message.ts'
import { NoticeError } from '../notices/tell.ts'
import { tellersOf } from '../notices/tellers.ts'
import { addressOfOrder, cureOf } from '../orders/order.ts'
import { REFUSES_FORGED } from '../outbox/webhook.ts'
import { accountOf } from '../store/merchant.ts'
import { exposuresOf } from '../store/sqlite/database.ts'
import { createPortalAddress } from '../transactions/callbacks.ts'
import { systemRandomness } from '../work/randomness.ts'
import { command, JSON_OPTION } from './command.ts'
import { deliver } from './events.ts'
import { CommandFailure, EXIT } from './shell.ts'
import { withStore } from './store.ts'

import type { Config } from '../config/config.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { GatewayExchange } from '../gateway/transport.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Shell } from './shell.ts'

/**
 * The kinds of findings, and how each is printed. Only a `problem` makes the command fail. `later` is what only
 * production needs: the sandbox is not ready for production, and in production it is a `problem`. A person has to decide
 * whether a `note` matters.
 */
const LOOKS = {
  fine: { mark: '✓', colour: 'green' },
  note: { mark: '·', colour: 'dim' },
  later: { mark: '→', colour: 'yellow' },
  problem: { mark: '✗', colour: 'red' },
} as const
type Kind = keyof typeof LOOKS

/** One line of the result. */
export interface Finding {
  what: string
  kind: Kind
  detail: string
}

/** What a check uses: the functions that add a finding, by default under the name of the check, and whom to ask. */
type Context = Record<Kind, (detail: string, what?: string) => void> & {
  shell: Shell
  config: Config
  client: GatewayClient
  /** Returns how far this machine's clock is ahead of the gateway's, in milliseconds; `null` if no answer shows it. */
  skewMs: () => number | null
  /** Sends a request to the merchant's backend. */
  askBackend: Ask
  /** Sends a request to PUBLIC_URL, whose host may resolve to a private address inside the merchant's network. */
  askServer: Ask
}
type Ask = (method: string, url: string, headers?: Record<string, string>) => Promise<Exchange>

/** Of a request to the merchant's backend or to this server. */
const LIMITS = { deadlineMs: 8_000, maxAnswerBytes: 64_000 }

/** The checks by their names, in the order of the findings. */
const CHECKS: Readonly<Record<string, (context: Context) => void | Promise<unknown>>> = {
  environment({ config, fine, later }) {
    if (config.environment === 'production') {
      fine('GATEWAY_ENVIRONMENT is production.')
    } else {
      later('GATEWAY_ENVIRONMENT is sandbox: no real money moves.')
    }
  },
  https({ config, fine, later }) {
    if (config.publicUrl.startsWith('https:')) {
      fine('PUBLIC_URL is https.')
    } else {
      later('PUBLIC_URL is not https; the gateway sends callbacks to https addresses only.')
    }
  },
  api({ config, fine, note }) {
    if (config.apiKeys) {
      fine('The merchant API is on.')
    } else {
      note('MERCHANT_API_KEY is not set: the merchant API is off.')
    }
  },
  limits({ config, fine, later }) {
    if (config.trustedProxies) {
      fine('TRUSTED_PROXIES is set: requests are limited per address.')
    } else {
      later(`TRUSTED_PROXIES ${UNLIMITED}`)
    }
  },
  proxy({ config, note }) {
    if (config.proxy) {
      note(describeProxy(config.proxy))
    }
  },
  warnings({ shell, config, note, problem }) {
    for (const text of problemsAt(config, shell.clock.now())) {
      problem(text, 'variables')
    }

    for (const { about, text } of warningsAt(config, shell.clock.now())) {
      if (about === 'files') {
        note(text, about)
      } else {
        problem(text, about)
      }
    }
  },
  rehearsal({ config, problem }) {
    if (accountOf(config) === 'rehearsal') {
      problem('GATEWAY_REHEARSAL is set: the gateway may be a look-alike without real money.')
    }
  },
  configuration: checkForProduction,
  store: checkStore,
  orders: checkOrders,
  events: checkWebhook,
  notices: checkNotices,
  clock: checkClock,
  account: checkAccounts,
  service: checkServices,
  charges: checkCharges,
  address: checkAddress,
  origins: checkOrigins,
}

export const check = command({
  text: 'check whether the server is ready for production, and print the addresses for the portal',
  options: JSON_OPTION,
  examples: [''],
  async run(shell, { json }) {
    const config = readConfig(shell.env, shell.surroundings)
    const findings = await findAll(shell, config)
    const has = (wanted: Kind) => findings.some(({ kind }) => kind === wanted)
    const ready = !has('problem') && !has('later')
    const addresses = {
      portal_callback_url: createPortalAddress('payouts', config).url,
      portal_charge_callback_url: createPortalAddress('charges', config).url,
      portal_airtime_callback_url: createPortalAddress('airtime', config).url,
    }
    for (const { kind, what, detail } of json ? [] : findings) {
      const { mark, colour } = LOOKS[kind]
      shell.print(`${mark} ${what}: ${printable(detail)}`, colour)
    }

    const isSandbox = config.environment === 'sandbox'
    const wrong = isSandbox
      ? 'Something is wrong, also in the sandbox: see the lines marked ✗.'
      : 'Not ready for production: see the lines marked ✗.'
    const nothingWrong = 'Nothing is wrong in the sandbox. Production needs what the lines marked → say.'
    const notReady = has('problem') ? wrong : nothingWrong
    const text = `
Callback URLs to enter in the merchant portal:
  payouts (B2C)  ${addresses.portal_callback_url}
  charges        ${addresses.portal_charge_callback_url}
  airtime        ${addresses.portal_airtime_callback_url}
Each checkout and payout request carries its own callback URL.

${ready ? 'Ready for production.' : notReady}`
    shell.show({ json }, { ready, findings, ...addresses }, () => text)
    shell.exitCode = has('problem') ? EXIT.refused : EXIT.ok
  },
})

/** Runs all checks at once. What only production needs comes last. */
async function findAll(shell: Shell, config: Config): Promise<Finding[]> {
  const { clock } = shell
  const { baseUrl, fxBaseUrl, consumerKey, consumerSecret } = config.gateway

  const askThrough = (privateHosts: Config['privateHosts']): Ask => {
    const fetch = shell.fetchFor(config, privateHosts)
    return (method, url, headers = {}) => exchange(fetch, clock, { method, url, headers, ...LIMITS })
  }

  const credentials = { consumer_key: consumerKey, consumer_secret: consumerSecret.reveal() }
  const fetch = shell.fetchFor(config)
  let skew: number | null = null
  const onExchange = ({ skew_ms }: GatewayExchange) => void (skew = skew_ms ?? skew)
  const client = createGatewayClient({ baseUrl, fxBaseUrl, credentials, fetch, clock, onExchange })
  const askBackend = askThrough(config.privateHosts)
  const askServer = askThrough('any')
  const checked = Object.entries(CHECKS).map(async ([name, run]) => {
    const findings: Finding[] = []

    const adder = (kind: Kind) => {
      return (detail: string, what = name) => void findings.push({ what, kind, detail })
    }

    const fine = adder('fine')
    const note = adder('note')
    const problem = adder('problem')
    const later = config.environment === 'production' ? problem : adder('later')
    const skewMs = () => skew
    await run({ shell, config, client, skewMs, askBackend, askServer, fine, note, later, problem })
    return findings
  })
  const isLater = ({ kind }: Finding) => Number(kind === 'later')
  const findings = (await Promise.all(checked)).flat()
  return withoutRepeated(findings).toSorted((one, other) => isLater(one) - isLater(other))
}

/** Leaves out problems with a cause that an earlier one has told. */
function withoutRepeated(findings: readonly Finding[]): Finding[] {
  const told = new Set<string>()
  return findings.filter(({ kind, detail }) => {
    const isRepeated = kind === 'problem' && told.has(detail)
    told.add(detail)
    return !isRepeated
  })
}

/** Validates the configuration of a sandbox as if its environment were production. */
function checkForProduction({ shell, config: { environment, warnings }, later }: Context): void {
  if (environment === 'production') {
    return
  }

  try {
    const env = { ...shell.env, GATEWAY_ENVIRONMENT: 'production', GATEWAY_REHEARSAL: undefined }
    for (const { text } of readConfig(env, shell.surroundings).warnings) {
      laterOnce(text)
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error
    }

    for (const detail of error.problems) {
      laterOnce(detail)
    }
  }

  /** The warnings of the sandbox have a line already. */
  function laterOnce(detail: string): void {
    if (!warnings.some(({ text }) => text === detail)) {
      later(detail)
    }
  }
}

/** Writes to the store as `/health/ready` does. Creates no SQLite file, which would belong to the wrong user. */
async function checkStore({ config, fine, note, problem }: Context): Promise<void> {
  const place = storePlaceOf(config.storeUrl)
  if (place.engine === 'memory') {
    return note('STORE_URL is in memory: a restart loses every payment.')
  }

  const deleted = deletedByBuild(place)
  if (deleted !== null) {
    return problem(deleted)
  }

  // The name begins with "the", and a sentence with the name.
  const name = describePlace(place).replace(/^t/, 'T')
  if (place.engine === 'sqlite' && !existsSync(place.path)) {
    const folder = dirname(place.path)
    if (existsSync(folder)) {
      return note(`${name} does not exist yet. The server creates it at its first start.`)
    }
    return problem(`${name} cannot be created: ${folder} does not exist.`)
  }

  const failure = await withStore(config, async () => null).catch(failureOf)
  if (failure) {
    return problem(`${name}: ${failure.message}`)
  }

  fine(`${name} can be written.`)
  if (place.engine === 'sqlite') {
    for (const exposure of exposuresOf(place.path)) {
      note(exposure)
    }
  }
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) {
    return error
  }
  throw error
}

/** Checks whether ORDERS_URL accepts ORDERS_TOKEN. A backend that does responds with 404 about an unknown reference. */
async function checkOrders({ config: { orders }, askBackend, fine, note, problem }: Context): Promise<void> {
  if (!orders) {
    return note(
      'None of ORDERS_URL, ORDER_SIGNING_KEY and ORDER_PUBLIC_KEYS is set: "serve" takes payments of reusable links only. A server of your own may pass the function "orders" to embed, start or createApp.',
    )
  }
  if (orders.kind === 'signed') {
    return fine('Orders are signed.')
  }

  const headers = { accept: 'application/json', authorization: `Bearer ${orders.token.reveal()}` }
  const address = addressOfOrder(orders.url, `check-${systemRandomness.uuid()}`)
  const answer = await askBackend('GET', address, headers)
  const { status, summary } = answer

  if (answer.kind !== 'answer' && status === null) {
    return problem(`ORDERS_URL ${summary}, from this machine.`)
  }

  if (status === 404) {
    return fine('ORDERS_URL was asked about an order that does not exist: HTTP 404.')
  }

  if (isSuccess(status) || status === 409) {
    return problem(`ORDERS_URL ${summary}, and must respond with 404, about an order that does not exist.`)
  }

  problem(`ORDERS_URL ${summary}${cureOf(answer, address)}`)
}

/**
 * Checks whether MERCHANT_WEBHOOK_URL refuses an event that is signed with another secret, and accepts a genuine one.
 */
async function checkWebhook({ shell, config, fine, note, problem }: Context): Promise<void> {
  const { webhook } = config
  if (!webhook) {
    const told = config.notices ? 'tells people of a payment, and no program' : 'tells nobody of a payment'
    const held = describeHeld(config)
    return note(
      `MERCHANT_WEBHOOK_URL is not set: "serve" ${told}. Only onEvent, in a server of your own, receives events without it.${held === null ? '' : ` ${held}`}`,
    )
  }

  const forgedSecret = new Secret(`whsec_${Buffer.from(systemRandomness.token()).toString('base64')}`)
  // The server sends no event of this type, so a backend that accepts it fulfils nothing.
  const body = eventAbout('check.forged', {}, shell.clock.now())
  const forged = await deliver(shell, { ...config, webhook: { ...webhook, secrets: [forgedSecret] } }, body)
  const { status, reason } = forged
  if (isSuccess(status)) {
    return problem(
      `MERCHANT_WEBHOOK_URL accepted a forged event with HTTP ${status}: anybody can tell it that an order is paid, or it is another page. Verify the signature.`,
    )
  }
  if (status === null || !REFUSES_FORGED.has(status)) {
    return problem(`MERCHANT_WEBHOOK_URL must respond to a forged event with 401. ${reason}`)
  }

  const sent = await deliver(shell, { ...config, webhook }, eventAbout('ping', {}, shell.clock.now()))
  if (sent.accepted) {
    return fine(`MERCHANT_WEBHOOK_URL refuses a forged event with HTTP ${status}, and accepts a signed one.`)
  }

  problem(
    `MERCHANT_WEBHOOK_URL does not accept a signed event, "ping", which it must, as any of a type that it does not know. ${sent.reason}`,
  )
}

/** Checks whether people are told of payments, by telling them that this is a test. */
async function checkNotices({ shell, config, fine, problem }: Context): Promise<unknown> {
  const tellers = tellersOf(config, { fetch: shell.fetchFor(config), clock: shell.clock })
  const checks = tellers.flatMap(({ way, readers, tell }) => {
    const what = `notices by ${way}`
    return readers.map(async (reader) => {
      try {
        await tell(trialOf(`ntc_${systemRandomness.token()}`), reader)
        const to = reader === '' ? '' : ` to ${reader}`
        fine(`A test was sent${to}: see whether it has arrived, and not as spam.`, what)
      } catch (error) {
        if (!(error instanceof NoticeError)) {
          throw error
        }

        problem(error.message, what)
      }
    })
  })
  return Promise.all(checks)
}

/** Compares this machine's clock with the gateway's. The clock of a sandbox may have been moved on purpose. */
async function checkClock({ client, skewMs, fine, note, later }: Context): Promise<void> {
  // The checks of the accounts report that nobody can authenticate.
  if (typeof (await client.authenticate().catch(messageOf)) === 'string') {
    return
  }

  const skew = skewMs()
  if (skew === null) {
    return note(
      'The answers of the gateway have no header Date, so this machine decides when a session is over: keep its clock set by NTP.',
    )
  }
  if (Math.abs(skew) <= MAX_SKEW_MS) {
    return fine("This machine's clock agrees with the gateway's.")
  }

  later(`This machine's clock is ${describeSkew(skew)} the gateway's. ${SKEW_DOES}`)
}

/** Checks the credentials and the account numbers by querying each account's balance. The queries change nothing. */
function checkAccounts({ client, config: { gateway }, fine, problem }: Context): Promise<unknown> {
  const checks = gateway.accountNumbers.map(async ([wanted, number]) => {
    const what = wanted === null ? 'account' : `account ${wanted}`
    const answer = await client.getBalance(number).catch(messageOf)
    if (typeof answer === 'string') {
      return problem(answer, what)
    }

    const { balance, currency } = answer
    if (wanted === null || currency === wanted) {
      fine(`Authenticated; the balance of ${number} is ${balance} ${currency}.`, what)
    } else {
      problem(`GATEWAY_ACCOUNT_NUMBER has ${number} for ${wanted}, but this account is in ${currency}.`, what)
    }
  })
  return Promise.all(checks)
}

/**
 * Checks each service code, which is the gateway's code for one of the merchant's services, by initiating a checkout
 * with the amount 1. No shopper sees this checkout, and its session expires after one minute.
 *
 * [assumed] The gateway validates a service code and its currency only when a checkout is initiated.
 */
function checkServices({ client, config: { gateway, publicUrl }, fine, problem }: Context): Promise<unknown> {
  const { serviceCodes, accountNumbers } = gateway
  const checks = serviceCodes.map(async ([currency, service_code]) => {
    const request = {
      merchant_transaction_id: systemRandomness.uuid(),
      amount: 1,
      payer_name: 'Check before production',
      payer_email: 'check@example.com',
      payer_msisdn: '254700000000',
      service_code,
      // A service code without a currency may have accounts by currency, of which any will do.
      account_number: valueFor(accountNumbers, currency) ?? accountNumbers[0]?.[1] ?? '',
      expires_in: 1,
      narration: 'Check before production',
      callback_url: `${publicUrl}/callbacks/checkout/check`,
      redirect_url: `${publicUrl}/health/live`,
    }
    const initiated = await client.initiateCheckout(request, { currency }).catch(messageOf)
    if (typeof initiated === 'string') {
      problem(initiated, `service ${service_code}`)
    } else {
      fine(`Active; its currency is ${initiated.currency}.`, `service ${service_code}`)
    }
  })
  return Promise.all(checks)
}

function messageOf(error: unknown): string {
  if (error instanceof GatewayError) {
    return error.message
  }
  throw error
}

/** The outcomes that a status from the gateway causes. A refusal, which proves no status, also causes `failed`. */
const OUTCOMES = ['succeeded', 'reversed', 'refunded', 'failed'] as const

/**
 * Checks whether a status from the gateway has settled a charge of this merchant account. Sends no charge, because a
 * charge would take money.
 */
async function checkCharges({ config, fine, note }: Context): Promise<void> {
  const { charges } = config
  if (!charges) {
    return note('GATEWAY_CHARGE_PATH is not set: charges and splits are off.')
  }

  const lists = await withStore(config, (store) =>
    Promise.all(
      OUTCOMES.map((outcome) => store.search(accountOf(config), 'charge', { outcome, limit: 100 })),
    ),
  ).catch(failureOf)
  // The check of the store reports that it cannot be used.
  const rows = lists instanceof CommandFailure ? [] : lists.flat()
  const records = rows.map((row) => readCharge(row).record)
  const isProven = records.some((record) => record.phase === 'open' && record.settled_at !== null)
  const paths = `Charges are sent to ${charges.path} and queried at ${charges.statusPath}.`
  if (isProven) {
    return fine(`${paths} A charge has been followed to its end.`)
  }

  note(
    `${paths} Unproven: no charge has been followed to its end yet. Send one of a small amount, and query it.`,
  )
}

/** Checks whether this server responds at PUBLIC_URL, and whether it can store a payment. */
async function checkAddress({ config: { publicUrl }, askServer, fine, problem }: Context): Promise<void> {
  const url = `${publicUrl}/health/live`
  const live = await askServer('GET', url)
  if (live.kind === 'unreachable') {
    return problem(`${url} ${live.summary} from this machine. Is the server running?`)
  }
  if (live.kind !== 'answer' || live.status !== 200 || !/"status":\s*"live"/.test(live.text)) {
    return problem(`${url} ${live.summary}: it is not this server.`)
  }

  fine(`${url} is served by this server, as seen from this machine.`)
  const { status, summary } = await askServer('GET', `${publicUrl}/health/ready`)
  if (status === 200) {
    return fine('The running server is ready: it can store a payment.', 'ready')
  }

  const answer = `${publicUrl}/health/ready ${summary}`
  problem(`${answer}: the running server cannot store a payment; the log has the reason.`, 'ready')
}

/** The server has one rule for all origins, so a few show whether it was started with this configuration. */
const MAX_ORIGINS_ASKED = 5

/** Checks whether the server at PUBLIC_URL allows the origins to read its responses. */
async function checkOrigins({ config, askServer, fine, note, problem }: Context): Promise<void> {
  const { allowedOrigins, publicUrl } = config
  const ownOrigin = new URL(publicUrl).origin
  if (allowedOrigins.length === 0) {
    return note(`ALLOWED_ORIGINS is not set: only pages of ${ownOrigin} can take payments.`)
  }

  const checks = allowedOrigins.slice(0, MAX_ORIGINS_ASKED).map(async (origin) => {
    // The request that browsers send before others. It starts no checkout.
    const headers = { origin, 'access-control-request-method': 'POST' }
    const response = await askServer('OPTIONS', `${publicUrl}/checkout/initiate`, headers)
    // The check of the address names a redirect, and a server that does not answer.
    const isAnswer = response.kind === 'answer' && response.status < 300
    return isAnswer && response.headers?.get('access-control-allow-origin') !== origin ? [origin] : []
  })
  const refused = (await Promise.all(checks)).flat().join(', ')
  if (refused !== '') {
    return problem(
      `The server at ${publicUrl} refuses pages of ${refused}: restart it, or look at its proxy.`,
    )
  }

  fine(`Pages of ${[...new Set([ownOrigin, ...allowedOrigins])].join(', ')} can take payments.`)
}
