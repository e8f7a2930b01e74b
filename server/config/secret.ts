/** Configured secrets: how they are kept out of logs, compared, and used as keys, and how long they must be. */

import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto'

import { decodedParts } from '../contract/parse.ts'

const MASK = '[secret]'

/** Printing a secret shows a mask, so that no log, error or response can contain its value. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  /** Compares in constant time, so that the duration does not reveal how much of a guess is right. */
  equals(guess: string): boolean {
    const digest = (text: string) => createHash('sha256').update(text).digest()
    return timingSafeEqual(digest(guess), digest(this.#value))
  }

  toString(): string {
    return MASK
  }

  toJSON(): string {
    return MASK
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return MASK
  }
}

/**
 * The values of a secret. The first value is the current one. While the secret is being replaced, the second value is
 * the previous one, which is still accepted.
 */
export type Secrets = readonly [Secret, ...Secret[]]

/** The rule of {@link isLongEnough}, for messages. */
export const LONG_ENOUGH = 'at least 24 characters long, such as the output of "openssl rand -base64 32"'

export function isLongEnough(secret: string): boolean {
  return secret.length >= 24
}

/** The rule of {@link isVaried}, for messages. */
export const VARIED =
  'random, such as the output of "openssl rand -base64 32": it has fewer than 8 different bytes'

/** Returns whether a secret may be random: repeated characters, zeros and placeholders have few different bytes. */
export function isVaried(key: Uint8Array): boolean {
  return new Set(key).size >= 8
}

/** Returns the value of a secret that may be given as text. */
export function revealed(secret: string | Secret): string {
  return typeof secret === 'string' ? secret : secret.reveal()
}

/** The length from which a secret is looked for in other texts, in bytes. Shorter ones may be in a text by chance. */
const SHORTEST_SHARED = 16

/**
 * Returns how a secret is written wherever it stands in a text of {@link readingsOf}: as it is, in hexadecimal or in
 * base64. A secret that is itself base64 or hexadecimal may also be written as what it encodes.
 */
export function writingsOf(secret: string): string[] {
  const keys = (['utf8', 'base64', 'hex'] as const).map((encoding) => Buffer.from(secret, encoding))
  return keys
    .filter(({ length }) => length >= SHORTEST_SHARED)
    .flatMap((key) => [
      key.toString(),
      key.toString('hex'),
      ...[0, 1, 2].map((offset) => base64At(key, offset)),
    ])
    .map(folded)
}

/** Returns the characters of base64 that only these bytes decide, after as many others as `offset`. */
function base64At(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
}

/** Returns a text as it can be read: as it stands, and without the escapes of URLs and JSON. */
export function readingsOf(text: string): string[] {
  return [text, decodedParts(text).replaceAll('\\', '')].map(folded)
}

/** Returns a text in one case, and in one of the two alphabets of base64. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll('-', '+').replaceAll('_', '/')
}

/** Returns the text that a text encodes; none if it is no base64 of a text that can be printed. */
export function decodedBase64(text: string): string[] {
  const decoded = Buffer.from(text, 'base64').toString()
  return /^[\x20-\x7E]+$/.test(decoded) ? [decoded] : []
}

/** Derives a key of 32 bytes from a secret (HKDF), another one for each purpose. */
export function deriveKey(secret: Secret, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret.reveal(), '', purpose, 32))
}

/**
 * Returns whether a text is a secret of Standard Webhooks with 24 random bytes or more. Without the prefix or the
 * padding, backends whose libraries require them would verify with another key, or with none.
 */
export function isWebhookSecret(text: string): boolean {
  const key = Buffer.from(text.slice('whsec_'.length), 'base64')
  return key.length >= 24 && text === `whsec_${key.toString('base64')}`
}
