/** Reads the settings of orders and of the merchant's webhook, and the keys for callback URLs. */

import type { Variables } from './variables.ts'
import type { Secrets } from './secret.ts'
import { createHmac, createPublicKey } from 'node:crypto'
import { ADDRESS, isAddress } from './variables.ts'
import { isLongEnough, LONG_ENOUGH, Secret } from './secret.ts'
import { z } from 'zod'
import { nonEmpty } from '../contract/fields.ts'

/**
 * The source of orders. `url`: the server requests each order from the merchant's backend at ORDERS_URL. `signed`: the
 * page contains the order, which the merchant's backend has signed, and the server verifies the signature with
 * ORDER_SIGNING_KEY or ORDER_PUBLIC_KEYS. `null`: the merchant passes the function `orders` to `createApp`.
 */
export type OrderSource =
  | { kind: 'url'; url: string; token: Secret }
  | {
      kind: 'signed'
      keys: readonly Secret[]
      publicKeys: readonly PublicKey[]
      /** The maximum lifetime of a signed order, in seconds. */
      maxLifetime: number
    }
  | null

/** The default of ORDER_MAX_LIFETIME (one day) and its largest permitted value (one year), in seconds. */
const MAX_LIFETIME_S = 24 * 3600
const MAX_LIFETIME_LIMIT_S = 366 * 24 * 3600

export interface WebhookSettings {
  readonly url: string
  readonly secrets: Secrets
}

/** @param isProduction Whether a short ORDERS_TOKEN is refused. */
export function readOrders(variables: Variables, isProduction: boolean): OrderSource {
  const url = variables.optionalBase('ORDERS_URL')
  const isKey = (key: string) => new TextEncoder().encode(key).length >= 32
  const rule = 'at least 32 bytes long, such as the output of "openssl rand -base64 32"'
  const keys = variables.optionalSecrets('ORDER_SIGNING_KEY', isKey, rule)
  const publicKeys = readPublicKeys(variables)
  const maxLifetime = variables.integer('ORDER_MAX_LIFETIME', 60, MAX_LIFETIME_LIMIT_S) ?? MAX_LIFETIME_S
  const isSigned = keys !== undefined || publicKeys.length > 0
  if (url && isSigned) {
    const signed = [keys && 'ORDER_SIGNING_KEY', publicKeys.length > 0 && 'ORDER_PUBLIC_KEYS']
    const names = signed.filter(Boolean).join(' and ')
    const problem = `ORDERS_URL and ${names} are both set, and orders come from one source. Remove one of them.`
    variables.problems.push(problem)
  }
  if (url) {
    const isToken = isProduction ? isLongEnough : undefined
    const [token = new Secret('')] = variables.secrets('ORDERS_TOKEN', isToken, LONG_ENOUGH) ?? []
    return { kind: 'url', url, token }
  }
  return isSigned ? { kind: 'signed', keys: keys ?? [], publicKeys, maxLifetime } : null
}

export function readWebhook(variables: Variables): WebhookSettings | null {
  if (variables.optional('MERCHANT_WEBHOOK_URL') === undefined) return null
  const url = variables.optional('MERCHANT_WEBHOOK_URL', isAddress, ADDRESS)
  // Without the prefix or the padding, backends whose libraries require them would verify with another key, or none.
  const isSecret = (value: string) => {
    const key = Buffer.from(value.slice('whsec_'.length), 'base64')
    return key.length >= 24 && value === `whsec_${key.toString('base64')}`
  }
  const rule =
    'whsec_ followed by at least 24 random bytes in base64, with its padding. Put whsec_ before your value, or take "whsec_$(openssl rand -base64 24)"'
  const secrets = variables.secrets('MERCHANT_WEBHOOK_SECRET', isSecret, rule)
  return url && secrets ? { url, secrets } : null
}

/**
 * Returns the HMAC keys for the secret part of callback URLs. If CALLBACK_SECRET is set, its values are the keys.
 *
 * [assumed] If CALLBACK_SECRET is not set, the keys are derived from GATEWAY_CONSUMER_SECRET. A new consumer secret
 * then changes the callback URLs. The earlier URLs remain valid while GATEWAY_CONSUMER_SECRET_PREVIOUS is set. If a
 * callback to an earlier URL is refused, a status query retrieves the transaction's status instead.
 */
export function readCallbackSecrets(variables: Variables, consumerSecrets: Secrets | undefined): Secrets {
  const derive = (secret: Secret) =>
    new Secret(createHmac('sha256', secret.reveal()).update('callback addresses').digest('base64url'))
  const [current = new Secret(''), ...previous] = consumerSecrets ?? []
  return (
    variables.optionalSecrets('CALLBACK_SECRET', isLongEnough, LONG_ENOUGH) ?? [
      derive(current),
      ...previous.map(derive),
    ]
  )
}

const named = { kid: nonEmpty, use: z.literal('sig').exactOptional() }
const PublicKey = z
  .discriminatedUnion('crv', [
    z.object({
      ...named,
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      alg: z.enum(['EdDSA', 'Ed25519']).exactOptional(),
    }),
    z.object({
      ...named,
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      x: z.string(),
      y: z.string(),
      alg: z.literal('ES256').exactOptional(),
    }),
  ])
  .refine(isOnCurve)

/** A public key as a JSON Web Key. A signed order contains the `kid` of the key that verifies the order. */
export type PublicKey = z.output<typeof PublicKey>

const Unparsed = z.record(z.string(), z.unknown())

const KeySet = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue('must be JSON')
      return z.NEVER
    }
  })
  .pipe(z.object({ keys: z.array(Unparsed.refine((key) => !('d' in key)).pipe(PublicKey)) }))
  .refine(({ keys }) => keys.length > 0)
  .refine(({ keys }) => new Set(keys.map(({ kid }) => kid)).size === keys.length)

const RULE =
  'a JSON Web Key Set of Ed25519 or P-256 public keys, each with its own kid and none with a private part'

/**
 * Returns the public keys; an empty list if ORDER_PUBLIC_KEYS is not set. The keys of ORDER_PUBLIC_KEYS_PREVIOUS come
 * first, because the last of several keys with the same `kid` is used.
 */
function readPublicKeys(variables: Variables): PublicKey[] {
  const parse = (text: string) => KeySet.safeParse(text).data?.keys
  const sets = variables.optionalSecrets('ORDER_PUBLIC_KEYS', (text) => parse(text) !== undefined, RULE) ?? []
  return sets.toReversed().flatMap((set) => parse(set.reveal()) ?? [])
}

function isOnCurve(key: object): boolean {
  try {
    return createPublicKey({ key: { ...key }, format: 'jwk' }).type === 'public'
  } catch {
    return false
  }
}
