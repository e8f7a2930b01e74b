/** Reads ORDER_PUBLIC_KEYS, a JSON Web Key Set (RFC 7517) of the public keys that verify signed orders. */

import type { Variables } from './environment.ts'
import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { nonEmpty } from '../contract/fields.ts'

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
export function readPublicKeys(variables: Variables): PublicKey[] {
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
