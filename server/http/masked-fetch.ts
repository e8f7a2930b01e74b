/**
 * Hides the secrets of this server in the answers of others: a backend in debug mode, or a gateway that repeats a
 * request, shows what it was sent. What comes after this door may be logged, stored and told.
 */

import type { Fetch, FetchAnswer } from './exchange.ts'

const MASK = '[secret]'
/** Shorter secrets are of the sandbox, or occur in texts by chance. */
const SHORTEST = 16
/** The headers of a request that carry a secret: the bearer token of a backend, and the gateway's access token. */
const SECRET_HEADER = /^authorization$|token/i
/** Answers are read up to a smaller size. What is larger is refused, and told to nobody. */
const MOST_BYTES = 1_500_000

/** The most masks that are kept: one for each token that is in use. */
const MOST_MASKS = 8

/** @param secrets The configured secrets. Those in the headers of a request are added to them. */
export function createMaskedFetch(fetch: Fetch, secrets: readonly string[]): Fetch {
  const maskConfigured = createMask(secrets)
  /** By what was sent. Making a mask costs more than using it. */
  const masks = new Map<string, Mask>()
  return async (url, init) => {
    const { status, headers, body } = await fetch(url, init)
    const maskSent = maskOf(secretsIn(init.headers))
    const mask = (text: string) => maskSent(maskConfigured(text))
    const get = (name: string) => {
      const value = headers?.get(name) ?? null
      return value === null ? null : mask(value)
    }
    return { status, headers: { get }, body: body && masked(body, mask) }
  }

  function maskOf(sent: readonly string[]): Mask {
    const key = sent.join('\n')
    const known = masks.get(key)
    if (known) {
      return known
    }
    if (masks.size >= MOST_MASKS) {
      masks.clear()
    }
    const mask = createMask(sent)
    masks.set(key, mask)
    return mask
  }
}

function secretsIn(headers: Record<string, string>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    SECRET_HEADER.test(name) ? value.replace(/^\w+ /, '') : [],
  )
}

/** Yields the whole body at once, because a secret may lie across two chunks. */
async function* masked(body: NonNullable<FetchAnswer['body']>, mask: (text: string) => string) {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length > MOST_BYTES) {
      break
    }
  }
  // One character for each byte, so that no other byte changes, whatever the encoding is.
  const text = Buffer.concat(chunks).toString('latin1')
  yield Buffer.from(mask(text), 'latin1')
}

type Mask = (text: string) => string

function createMask(secrets: readonly string[]): Mask {
  const longest = [...new Set(secrets)].filter(({ length }) => length >= SHORTEST)
  if (longest.length === 0) {
    return (text) => text
  }
  longest.sort((one, other) => other.length - one.length)
  const pattern = new RegExp(longest.map(patternOf).join('|'), 'g')
  return (text) => text.replace(pattern, MASK)
}

/** Matches a secret as it stands, and as JSON (also within JSON), HTML and URLs write it. */
function patternOf(secret: string): string {
  return Array.from(Buffer.from(secret), patternOfByte).join('')
}

/** Each repetition has a limit: an answer of backslashes alone would otherwise be read from each of them to its end. */
function patternOfByte(code: number): string {
  const character = String.fromCharCode(code)
  if (/\w/.test(character)) {
    return character
  }
  const hex = code.toString(16).padStart(2, '0')
  const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  return String.raw`(?:\\{0,7}\x${hex}|\\{1,7}u00${anyCase}|%${anyCase}|&#0{0,7}${code};|&#[xX]0{0,7}${anyCase};|&\w{2,6};)`
}
