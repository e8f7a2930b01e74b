/** The public keys of signed orders (ORDER_PUBLIC_KEYS), as JSON Web Keys. */

import { createPublicKey } from 'node:crypto'
import { z } from 'zod'

import { nonEmpty } from '../contract/fields.ts'
import { parseJson } from '../contract/parse.ts'

const common = { kid: nonEmpty, use: z.literal('sig').exactOptional() }
const PublicKey = z
  .discriminatedUnion('crv', [
    z.object({
      ...common,
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      alg: z.enum(['EdDSA', 'Ed25519']).exactOptional(),
    }),
    z.object({
      ...common,
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

/** `d` is the private part of a key, which must not be where only its public part is needed. */
const WithoutPrivatePart = z.record(z.string(), z.unknown()).refine((key) => !('d' in key))

const KeySet = z
  .object({ keys: z.array(WithoutPrivatePart.pipe(PublicKey)) })
  .refine(({ keys }) => keys.length > 0)
  .refine(({ keys }) => new Set(keys.map(({ kid }) => kid)).size === keys.length)

/** Returns the keys of a JSON Web Key Set; `null` if the text is not one, or contains an invalid key. */
export function readKeySet(text: string): PublicKey[] | null {
  return KeySet.safeParse(parseJson(text)).data?.keys ?? null
}

function isOnCurve(key: object): boolean {
  try {
    return createPublicKey({ key: { ...key }, format: 'jwk' }).type === 'public'
  } catch {
    return false
  }
}
