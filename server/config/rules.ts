/** The rules between variables: what one of them needs of another, and what production needs. */

import type { VariableName, Environment, Problem, readVariables } from './variables.ts'
import { valueFor } from './gateway.ts'
import { isLongEnough, LONG_ENOUGH } from './secret.ts'
import { isPrivateHost } from '../contract/private-host.ts'
import { problemInProduction, storePlaceOf } from './store-url.ts'
import { missingText } from './variables.ts'

/** The values of the variables that are valid by themselves. The others have problems already. */
type Valid = ReturnType<typeof readVariables>['valid']
/** Adds a problem with a variable. `text` continues the sentence that the variable's name begins. */
type Refuse = (name: string, text: string) => void

export function problemsBetween(valid: Valid, env: Environment): Problem[] {
  const problems: Problem[] = []
  const refuse: Refuse = (name, text) => void problems.push({ about: name, text: `${name} ${text}` })
  checkAddresses(valid, refuse)
  checkAccounts(valid, refuse)
  checkCompleteness(valid, refuse)
  if (valid.GATEWAY_ENVIRONMENT !== 'production') return problems
  checkMerchantUrls(valid, refuse)
  if (!valid.GATEWAY_REHEARSAL) {
    checkGatewayUrls(valid, refuse)
    checkStore(valid, refuse)
    checkSecrets(valid, refuse)
  }
  // A rehearsal has credentials of the merchant's backend, too, so this rule applies to it.
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    refuse(
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'is 0, which sends the credentials to anybody: remove it, and name your own authority in NODE_EXTRA_CA_CERTS.',
    )
  return problems
}

function checkAddresses(valid: Valid, refuse: Refuse): void {
  const { GATEWAY_BASE_URL, PUBLIC_URL, PORT, METRICS_PORT } = valid
  if (PUBLIC_URL?.startsWith('http:') && GATEWAY_BASE_URL && !isLoopback(GATEWAY_BASE_URL))
    refuse('PUBLIC_URL', 'must be https: the gateway calls back to https only [spec: Events, 4].')
  // 0 is any free port, and never the same one.
  if (METRICS_PORT && METRICS_PORT === PORT)
    refuse('METRICS_PORT', 'must differ from PORT: metrics are not for the public.')
}

/** [assumed] A merchant has one account for each currency. */
function checkAccounts(valid: Valid, refuse: Refuse): void {
  const { GATEWAY_SERVICE_CODE: codes, GATEWAY_ACCOUNT_NUMBER: numbers } = valid
  if (!codes || !numbers) return
  const currencies = codes.flatMap(([currency]) => currency ?? [])
  const missing = currencies.filter((currency) => valueFor(numbers, currency) === undefined).join(', ')
  if (missing !== '')
    refuse(
      'GATEWAY_ACCOUNT_NUMBER',
      `has no account for ${missing}, which GATEWAY_SERVICE_CODE has services for.`,
    )
}

function checkCompleteness(valid: Valid, refuse: Refuse): void {
  const keys = (['ORDER_SIGNING_KEY', 'ORDER_PUBLIC_KEYS'] as const).filter((name) => valid[name])
  if (valid.ORDERS_URL && keys.length > 0)
    refuse(
      'ORDERS_URL',
      `and ${keys.join(' and ')} are both set, and orders come from one source. Remove one of them.`,
    )
  for (const [url, secret] of [
    ['ORDERS_URL', 'ORDERS_TOKEN'],
    ['MERCHANT_WEBHOOK_URL', 'MERCHANT_WEBHOOK_SECRET'],
  ] as const)
    if (valid[url] && !valid[secret]) refuse(secret, missingText(secret))
  for (const name of ['GATEWAY_CHARGE_STATUS_PATH', 'GATEWAY_CHARGE_METHODS'] as const)
    if (valid[name]?.length && !valid.GATEWAY_CHARGE_PATH)
      refuse(name, 'needs GATEWAY_CHARGE_PATH: charges are off without it.')
}

function checkMerchantUrls(valid: Valid, refuse: Refuse): void {
  for (const [name, { protocol, hostname }] of urlsOf(valid, ['ORDERS_URL', 'MERCHANT_WEBHOOK_URL'])) {
    if (valid.PRIVATE_HOSTS?.includes(hostname)) continue
    if (protocol !== 'https:')
      refuse(name, 'must be https in production, unless PRIVATE_HOSTS names its host.')
    if (isPrivateHost(hostname))
      refuse(name, 'names a private address: if this is meant, name its host in PRIVATE_HOSTS.')
  }
}

function checkGatewayUrls(valid: Valid, refuse: Refuse): void {
  const urls = gatewayUrls(valid)
  for (const [name, { protocol, hostname }] of urls) {
    if (protocol !== 'https:') refuse(name, 'must be https in production: it receives the credentials.')
    if (isPrivateHost(hostname))
      refuse(name, 'names a private address, which a production gateway does not have.')
  }
  for (const host of new Set(urls.map(([, { hostname }]) => hostname)))
    if (valid.PRIVATE_HOSTS?.includes(host))
      refuse('PRIVATE_HOSTS', `names ${host}, the gateway, which is never on a private address.`)
}

function checkStore({ STORE_URL, PRIVATE_HOSTS = [] }: Valid, refuse: Refuse): void {
  const problem = STORE_URL && problemInProduction(storePlaceOf(STORE_URL[0]), PRIVATE_HOSTS)
  if (problem) refuse('STORE_URL', problem)
}

function checkSecrets(valid: Valid, refuse: Refuse): void {
  for (const [name, sandboxValue] of [
    ['GATEWAY_CONSUMER_KEY', /^sandbox-key(-2)?$/],
    ['GATEWAY_CONSUMER_SECRET', /^sandbox-secret(-2)?$/],
  ] as const)
    if (sandboxValue.test(valid[name]?.[0].reveal() ?? ''))
      refuse(name, 'belongs to the sandbox, and everybody knows it: production has its own.')
  if (valid.ORDERS_TOKEN && !isLongEnough(valid.ORDERS_TOKEN[0].reveal()))
    refuse('ORDERS_TOKEN', `must be ${LONG_ENOUGH}.`)
  for (const [index, pair] of valid.CALLBACK_BASIC_AUTH?.entries() ?? [])
    if (!isLongEnough(pair.reveal().replace(/^[^:]*:/, '')))
      refuse(
        index === 0 ? 'CALLBACK_BASIC_AUTH' : 'CALLBACK_BASIC_AUTH_PREVIOUS',
        `must be user:password with a password that is ${LONG_ENOUGH}.`,
      )
}

/** Returns the URLs of the gateway that are set, with their variables. */
export function gatewayUrls(valid: Valid): [name: VariableName, url: URL][] {
  return urlsOf(valid, ['GATEWAY_BASE_URL', 'GATEWAY_FX_BASE_URL', 'GATEWAY_ACKNOWLEDGE_BASE_URL'])
}

type UrlName = Extract<VariableName, `${string}_URL`> & Exclude<VariableName, 'STORE_URL'>

function urlsOf(valid: Valid, names: readonly UrlName[]): [name: UrlName, url: URL][] {
  return names.flatMap((name) => (valid[name] === undefined ? [] : [[name, new URL(valid[name])]]))
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}
