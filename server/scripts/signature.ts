/**
 * Signs and verifies scripts, as Signature-based Integrity (https://wicg.github.io/signature-based-sri/) defines it: an
 * Ed25519 signature in HTTP message signatures (RFC 9421), over the digest of the script. Pure.
 */

import type { KeyObject } from 'node:crypto'
import type { ScriptSignatures } from '../config/script-signatures.ts'
import { createHash, createPublicKey, sign, verify } from 'node:crypto'

/** The component and the parameter that the signature covers: the header `Unencoded-Digest`, strictly serialized. */
const COMPONENT = '"unencoded-digest";sf'
/** Browsers verify a signature with this tag, and ignore other signatures. */
const TAG = 'ed25519-integrity'
const INTEGRITY_PREFIX = 'ed25519-'

/** Returns the value of the attribute `integrity` for scripts that are signed with the key. */
export function integrityOf(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return INTEGRITY_PREFIX + Buffer.from(x, 'base64url').toString('base64')
}

/** Returns the signature of a script in base64. */
export function signScript(text: string, privateKey: KeyObject): string {
  return sign(null, signatureBase(text, integrityOf(privateKey)), privateKey).toString('base64')
}

/** Returns whether the signature of a script was made with the private key that belongs to `integrity`. */
export function isSigned(text: string, integrity: string, signature: string): boolean {
  const x = Buffer.from(keyIdOf(integrity), 'base64').toString('base64url')
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, signatureBase(text, integrity), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/** Returns the response headers with which a browser verifies the script. */
export function signatureHeaders(
  text: string,
  integrity: ScriptSignatures['integrity'],
  signature: string,
): Record<string, string> {
  return {
    'unencoded-digest': digestOf(text),
    'signature-input': `script=${parametersOf(integrity)}`,
    signature: `script=:${signature}:`,
  }
}

/** Returns the bytes that are signed (RFC 9421, section 2.5). */
function signatureBase(text: string, integrity: string): Buffer {
  return Buffer.from(
    `${COMPONENT}: ${digestOf(text)}\n"@signature-params": ${parametersOf(integrity)}`,
    'ascii',
  )
}

function digestOf(text: string): string {
  return `sha-256=:${createHash('sha256').update(text).digest('base64')}:`
}

function parametersOf(integrity: string): string {
  return `(${COMPONENT});keyid="${keyIdOf(integrity)}";tag="${TAG}"`
}

function keyIdOf(integrity: string): string {
  return integrity.slice(INTEGRITY_PREFIX.length)
}
