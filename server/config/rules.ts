/**
 * The rules between variables: what one of them needs of another, what production needs, and what is probably a mistake
 * of the operator. The start and the command `check` say the same, because both read these rules.
 */

import { join } from 'node:path'

import { isPrivateHost } from '../contract/private-host.ts'
import { valueFor } from './gateway.ts'
import { problemOfTemplate } from './notice-template.ts'
import { checkDifferent, checkOwnSecrets } from './own-secrets.ts'
import { warningOf } from './private-file.ts'
import { isTemporary, problemInProduction, storePlaceOf } from './store-url.ts'
import { isUnlimited } from './trusted-proxies.ts'
import { missingText } from './variables.ts'

import type { Problem, Refuse, Texts, Valid, Warning } from './read-variables.ts'
import type { VariableName, Environment } from './variables.ts'

/** What the rules have to know besides the variables. */
interface Circumstances {
  texts: Texts
  /** The environment of the process, which Node reads by itself. */
  processEnv: Environment
  /** Whether this process listens itself, so that no framework names the address of a client. */
  listens: boolean
}

export function problemsBetween(valid: Valid, { texts, processEnv, listens }: Circumstances): Problem[] {
  const problems: Problem[] = []
  const refuse: Refuse = (name, text) => void problems.push({ about: name, text: `${name} ${text}` })
  checkAddresses(valid, refuse)
  checkAccounts(valid, refuse)
  checkCompleteness(valid, refuse)
  checkPrevious(valid, refuse)
  if (valid.GATEWAY_ENVIRONMENT !== 'production') {
    return problems
  }

  checkMerchantUrls(valid, refuse)
  checkGatewayUrls(valid, refuse)
  checkStore(valid, refuse)
  if (!valid.GATEWAY_REHEARSAL) {
    checkIssuedCredentials(valid, refuse)
  }

  checkOwnSecrets(valid, refuse)
  checkDifferent(texts, refuse)
  if (listens && !valid.TRUSTED_PROXIES) {
    refuse('TRUSTED_PROXIES', UNLIMITED)
  }
  // Node reads this variable of the process, whatever variables this server was given.
  if (processEnv['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    refuse(
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'is 0, which sends the credentials to anybody: remove it, and name your own authority in NODE_EXTRA_CA_CERTS.',
    )
  }
  return problems
}

/** Returns the warning about a file `.env` that others may read, change or replace. */
export function warningsOfEnvFile(folder: string | undefined): Warning[] {
  const path = folder === undefined ? null : join(folder, '.env')
  const warning = path === null ? null : warningOf(path)
  return warning === null ? [] : [{ about: 'files', text: `${path} ${warning}` }]
}

/** Continues the sentence that TRUSTED_PROXIES begins where it is not set. */
export const UNLIMITED =
  'is required: behind a proxy, all shoppers would share the limits of its address. Set it to the addresses of your proxies, or to "none" if there is none.'

const TEMPORARY =
  'STORE_URL is in a temporary folder, which the system empties: move the file to a lasting one.'

/** Returns what prevents no start in production, and is probably a mistake. */
export function warningsBetween(valid: Valid): Warning[] {
  const warnings: Warning[] = []
  const warn: Refuse = (name, text) => void warnings.push({ about: 'variables', text: `${name} ${text}` })
  for (const network of valid.TRUSTED_PROXIES?.filter(isUnlimited) ?? []) {
    warn('TRUSTED_PROXIES', `has ${network}, which trusts the clients, too: name only your proxies.`)
  }

  if (valid.GATEWAY_ENVIRONMENT !== 'production') {
    return warnings
  }
  if (valid.STORE_URL && isTemporary(storePlaceOf(valid.STORE_URL[0]))) {
    warnings.push({ about: 'files', text: TEMPORARY })
  }
  // The look-alike of a rehearsal, and its shop, are on this machine.
  if (valid.GATEWAY_REHEARSAL) {
    return warnings
  }

  for (const origin of valid.ALLOWED_ORIGINS ?? []) {
    const problem = problemOfOrigin(new URL(origin))
    if (problem !== null) {
      warn('ALLOWED_ORIGINS', `has ${origin}: ${problem}.`)
    }
  }

  for (const host of valid.GATEWAY_PAGE_HOSTS ?? []) {
    if (isPrivateHost(new URL(`https://${host}`).hostname)) {
      warn('GATEWAY_PAGE_HOSTS', `has ${host}: shoppers cannot open a page there.`)
    }
  }

  return warnings
}

function problemOfOrigin({ protocol, hostname }: URL): string | null {
  // A page inside an app, such as capacitor://localhost, is on the shopper's own device.
  if (!/^https?:$/.test(protocol)) {
    return null
  }
  if (isPrivateHost(hostname)) {
    return 'shoppers cannot open a page there'
  }
  return protocol === 'https:' ? null : 'the pages of a shop must be https'
}

/** The secrets whose previous value ends: whoever has it could name a price, move money, or look up people. */
const ENDING = [
  'ORDER_SIGNING_KEY',
  'MERCHANT_API_KEY',
  'MERCHANT_READ_KEY',
] as const satisfies VariableName[]

function checkPrevious(valid: Valid, refuse: Refuse): void {
  for (const name of ENDING) {
    if (valid[name]?.[1] !== undefined && valid[`${name}_PREVIOUS_SINCE`] === undefined) {
      refuse(
        `${name}_PREVIOUS_SINCE`,
        `is required with ${name}_PREVIOUS: the day on which it was replaced, such as 2026-11-30.`,
      )
    }
  }
}

function checkAddresses(valid: Valid, refuse: Refuse): void {
  const { GATEWAY_BASE_URL, PUBLIC_URL, PORT, METRICS_PORT } = valid
  if (PUBLIC_URL?.startsWith('http:') && GATEWAY_BASE_URL && !isLoopback(GATEWAY_BASE_URL)) {
    refuse('PUBLIC_URL', 'must be https: the gateway calls back to https only [spec: Events, 4].')
  }
  // 0 is any free port, and never the same one.
  if (METRICS_PORT && METRICS_PORT === PORT) {
    refuse('METRICS_PORT', 'must differ from PORT: metrics are not for the public.')
  }
}

/** [assumed] A merchant has one account for each currency. */
function checkAccounts(valid: Valid, refuse: Refuse): void {
  const { GATEWAY_SERVICE_CODE: codes, GATEWAY_ACCOUNT_NUMBER: numbers } = valid
  if (!codes || !numbers) {
    return
  }

  const currencies = codes.flatMap(([currency]) => currency ?? [])
  const missing = currencies.filter((currency) => valueFor(numbers, currency) === undefined).join(', ')
  if (missing !== '') {
    refuse(
      'GATEWAY_ACCOUNT_NUMBER',
      `has no account for ${missing}, which GATEWAY_SERVICE_CODE has services for.`,
    )
  }
}

/** The variables that are of no use without another one. */
const NEEDS = [
  { set: 'ORDERS_URL', needs: 'ORDERS_TOKEN' },
  { set: 'MERCHANT_WEBHOOK_URL', needs: 'MERCHANT_WEBHOOK_SECRET' },
  { set: 'NOTIFY_SMTP_URL', needs: 'NOTIFY_TO' },
  { set: 'NOTIFY_TO', needs: 'NOTIFY_SMTP_URL' },
  { set: 'NOTIFY_FROM', needs: 'NOTIFY_SMTP_URL' },
  { set: 'NOTIFY_URL', needs: 'NOTIFY_BODY' },
  { set: 'NOTIFY_BODY', needs: 'NOTIFY_URL' },
  { set: 'NOTIFY_HEADERS', needs: 'NOTIFY_URL' },
] as const satisfies { set: VariableName; needs: VariableName }[]

function checkCompleteness(valid: Valid, refuse: Refuse): void {
  const keys = (['ORDER_SIGNING_KEY', 'ORDER_PUBLIC_KEYS'] as const).filter((name) => valid[name])
  if (valid.ORDERS_URL && keys.length > 0) {
    refuse(
      'ORDERS_URL',
      `and ${keys.join(' and ')} are both set, and orders come from one source. Remove one of them.`,
    )
  }

  for (const { set, needs } of NEEDS) {
    if (valid[set] && !valid[needs]) {
      refuse(needs, missingText(needs))
    }
  }

  const problem = valid.NOTIFY_BODY && problemOfTemplate(valid.NOTIFY_TYPE ?? 'json', valid.NOTIFY_BODY)
  if (problem) {
    refuse('NOTIFY_BODY', problem)
  }

  for (const name of ['GATEWAY_CHARGE_STATUS_PATH', 'GATEWAY_CHARGE_METHODS'] as const) {
    if (valid[name]?.length && !valid.GATEWAY_CHARGE_PATH) {
      refuse(name, 'needs GATEWAY_CHARGE_PATH: charges are off without it.')
    }
  }
}

function checkMerchantUrls(valid: Valid, refuse: Refuse): void {
  const { NOTIFY_URL: notify, NOTIFY_SMTP_URL: smtp } = valid
  const urls: { name: VariableName; url: Pick<URL, 'protocol' | 'hostname'> }[] = urlsOf(valid, [
    'ORDERS_URL',
    'MERCHANT_WEBHOOK_URL',
  ])
  if (notify) {
    urls.push({ name: 'NOTIFY_URL', url: new URL(notify[0].reveal()) })
  }
  if (smtp) {
    // Whoever sends e-mail begins TLS, or ends the connection (`notices/email.ts`).
    urls.push({ name: 'NOTIFY_SMTP_URL', url: { protocol: 'https:', hostname: smtp[0].host } })
  }

  for (const { name, url } of urls) {
    const { protocol, hostname } = url
    if (valid.PRIVATE_HOSTS?.includes(hostname)) {
      continue
    }
    if (protocol !== 'https:') {
      refuse(name, 'must be https in production, unless PRIVATE_HOSTS names its host.')
    }
    if (isPrivateHost(hostname)) {
      refuse(name, 'names a private address: if this is meant, name its host in PRIVATE_HOSTS.')
    }
  }
}

function checkGatewayUrls(valid: Valid, refuse: Refuse): void {
  const urls = gatewayUrls(valid).filter(({ url }) => !isLookAlike(valid, url))
  for (const { name, url } of urls) {
    const { protocol, hostname } = url
    if (protocol !== 'https:') {
      refuse(name, 'must be https in production: it receives the credentials.')
    }
    if (isPrivateHost(hostname)) {
      refuse(name, 'names a private address, which a production gateway does not have.')
    }
  }

  for (const host of new Set(urls.map(({ url }) => url.hostname))) {
    if (valid.PRIVATE_HOSTS?.includes(host)) {
      refuse('PRIVATE_HOSTS', `names ${host}, the gateway, which is never on a private address.`)
    }
  }
}

/** Returns whether the gateway at an address is the look-alike of a rehearsal, which runs on this machine. */
export function isLookAlike({ GATEWAY_REHEARSAL }: Pick<Valid, 'GATEWAY_REHEARSAL'>, { href }: URL): boolean {
  return GATEWAY_REHEARSAL !== undefined && isLoopback(href)
}

function checkStore({ STORE_URL, PRIVATE_HOSTS = [] }: Valid, refuse: Refuse): void {
  const place = STORE_URL && storePlaceOf(STORE_URL[0])
  const problem = place && problemInProduction(place, PRIVATE_HOSTS)
  if (problem) {
    refuse('STORE_URL', problem)
  }
}

/** The credentials that the gateway issues are whatever it issued, but not those of the sandbox. */
function checkIssuedCredentials(valid: Valid, refuse: Refuse): void {
  for (const [name, sandboxValue] of [
    ['GATEWAY_CONSUMER_KEY', /^sandbox-key(-2)?$/],
    ['GATEWAY_CONSUMER_SECRET', /^sandbox-secret(-2)?$/],
  ] as const) {
    if (sandboxValue.test(valid[name]?.[0].reveal() ?? '')) {
      refuse(name, 'belongs to the sandbox, and everybody knows it: production has its own.')
    }
  }
}

/** Returns the URLs of the gateway that are set, with their variables. */
export function gatewayUrls(valid: Valid): { name: VariableName; url: URL }[] {
  return urlsOf(valid, ['GATEWAY_BASE_URL', 'GATEWAY_FX_BASE_URL', 'GATEWAY_ACKNOWLEDGE_BASE_URL'])
}

type UrlName = Extract<VariableName, `${string}_URL`> &
  Exclude<VariableName, 'STORE_URL' | 'NOTIFY_URL' | 'NOTIFY_SMTP_URL'>

function urlsOf(valid: Valid, names: readonly UrlName[]): { name: VariableName; url: URL }[] {
  return names.flatMap((name) => {
    const text = valid[name]
    return text === undefined ? [] : [{ name, url: new URL(text) }]
  })
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}
