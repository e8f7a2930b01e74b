/** The rules of secrets in production: those that the merchant makes are long and random, and no two variables share one. */

import { decodedPart, isKeyOf, parseUrl } from '../contract/parse.ts'
import { isLongEnough, isVaried, LONG_ENOUGH, readingsOf, VARIED, writingsOf } from './secret.ts'

import type { Refuse, Texts, Valid } from './read-variables.ts'
import type { Secret } from './secret.ts'
import type { VariableName } from './variables.ts'

/** The secrets that the merchant makes, with what precedes the key itself in their text. */
const OWN_SECRETS = {
  ORDERS_TOKEN: '',
  ORDER_SIGNING_KEY: '',
  MERCHANT_API_KEY: '',
  MERCHANT_READ_KEY: '',
  MERCHANT_WEBHOOK_SECRET: 'whsec_',
  CALLBACK_SECRET: '',
  CALLBACK_BASIC_AUTH: /^[^:]*:/,
} as const satisfies Partial<Record<VariableName, string | RegExp>>
type OwnName = keyof typeof OWN_SECRETS
const isOwn = isKeyOf(OWN_SECRETS)
const OWN_NAMES = Object.keys(OWN_SECRETS).filter(isOwn)

export function checkOwnSecrets(valid: Valid, refuse: Refuse): void {
  for (const name of OWN_NAMES) {
    const subject =
      name === 'CALLBACK_BASIC_AUTH' ? 'must be user:password with a password that is' : 'must be'
    const secrets: readonly Secret[] = valid[name] ?? []
    for (const [index, secret] of secrets.entries()) {
      const variable = index === 0 ? name : `${name}_PREVIOUS`
      const key = keyIn(name, secret.reveal())
      const bytes = Buffer.from(key, name === 'MERCHANT_WEBHOOK_SECRET' ? 'base64' : 'utf8')
      if (!isLongEnough(key)) {
        refuse(variable, `${subject} ${LONG_ENOUGH}.`)
      } else if (!isVaried(bytes)) {
        refuse(variable, `${subject} ${VARIED}.`)
      }
    }
  }
}

/** Returns the key itself, of which a secret consists but for what precedes it. */
function keyIn(name: OwnName, text: string): string {
  return text.replace(OWN_SECRETS[name], '')
}

/**
 * Whoever learns one secret, such as a partner with a key of `/api`, would have those of other doors, too: no secret is
 * inside of another variable, wherever and however it is written there.
 */
export function checkDifferent(texts: Texts, refuse: Refuse): void {
  const doors = doorsOf(texts)
  for (const [index, door] of doors.entries()) {
    const same = doors.slice(0, index).find((other) => areDoorsOfTwo(door, other) && shareSecret(door, other))
    if (same !== undefined) {
      refuse(door.name, `must share no secret with ${same.name}: each secret opens one door.`)
    }
  }
}

/**
 * Services that send messages are one door: a provider of e-mail and SMS has one key for both. So is the gateway, which
 * issues what it likes.
 */
function areDoorsOfTwo({ name }: Door, other: Door): boolean {
  return !['NOTIFY_', 'GATEWAY_'].some((owner) => name.startsWith(owner) && other.name.startsWith(owner))
}

function shareSecret(one: Door, other: Door): boolean {
  const isIn = ({ writings }: Door, { readings }: Door) =>
    writings.some((writing) => readings.some((reading) => reading.includes(writing)))
  return isIn(one, other) || isIn(other, one)
}

/** A variable, how its secrets are written, and how its texts are read. */
interface Door {
  name: string
  writings: readonly string[]
  readings: readonly string[]
}

/** Returns all variables, those with secrets of others first: the merchant can choose the later ones anew. */
function doorsOf(texts: Texts): Door[] {
  const withSecrets = [...ISSUED, ...OWN_NAMES, ...WITH_PASSWORD]
  const names = new Set([...withSecrets, ...Object.keys(texts)])
  return [...names].map((name) => {
    const given = [texts[name] ?? []].flat()
    const secrets = given.flatMap((text) => secretIn(name, text) ?? [])
    return { name, writings: secrets.flatMap(writingsOf), readings: given.flatMap(readingsOf) }
  })
}

/** The secrets that the gateway issues, and the addresses that may have a password. */
const ISSUED: readonly string[] = ['GATEWAY_CONSUMER_KEY', 'GATEWAY_CONSUMER_SECRET'] satisfies VariableName[]
const WITH_PASSWORD: readonly string[] = [
  'STORE_URL',
  'HTTPS_PROXY',
  'NOTIFY_SMTP_URL',
] satisfies VariableName[]

/** Returns the secret in the text of a variable; `null` if the variable has none. */
function secretIn(name: string, text: string): string | null {
  if (isOwn(name)) {
    return keyIn(name, text)
  }
  if (WITH_PASSWORD.includes(name)) {
    return passwordOf(text)
  }
  return ISSUED.includes(name) ? text : null
}

function passwordOf(url: string): string {
  const password = parseUrl(url)?.password ?? ''
  return decodedPart(password) ?? password
}
