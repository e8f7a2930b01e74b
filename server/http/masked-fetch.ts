/**
 * Hides the secrets of this server in the words of others: a backend in debug mode, or a gateway that repeats a request,
 * shows what it was sent. An answer passes as it is, because what decides about money is never changed. It only brings
 * the function through which each of its words goes that is logged, stored or told.
 */

import { firstCharacters } from '../contract/text.ts'

import type { Fetch, Mask } from './exchange.ts'

const MASK = '[secret]'
/** Stands for a mask until the end, so that no mask is searched for secrets. No text has this character. */
const PLACE = '\uFFFE'
/** Shorter secrets are of the sandbox, or occur in texts by chance. */
const SHORTEST = 16
/** As many characters of a secret in a row are hidden: debug pages cut long values. */
const SHORTEST_PIECE = 12
/** The maximum number of characters that are told of one text. */
const MAX_TOLD = 1_000
/** The headers of a request that carry a secret: the bearer token of a backend, and the gateway's access token. */
const SECRET_HEADER = /^authorization$|token/i

/** @param secrets The configured secrets. Those in the headers of a request are added to them. */
export function createMaskedFetch(fetch: Fetch, secrets: readonly string[]): Fetch {
  return async (url, init) => {
    const mask = createMask([...secrets, ...secretsIn(init.headers)])
    const { status, headers, body } = await fetch(url, init)
    return { status, ...(headers && { headers }), body, mask }
  }
}

function secretsIn(headers: Record<string, string>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    SECRET_HEADER.test(name) ? value.replace(/^\w+ /, '') : [],
  )
}

/**
 * Returns a function that shortens a text, takes all escapes out of it, and hides the secrets in it and longer pieces of
 * them, in whatever case they are repeated. It searches for the secrets as they are: a pattern made of them may be too long, or too slow.
 *
 * @param shortest The length from which a secret is hidden. Shorter ones would be hidden in texts by chance.
 */
export function createMask(secrets: readonly string[], shortest = SHORTEST): Mask {
  const hidden = secrets
    .filter(({ length }) => length >= shortest)
    .map((secret) => ({
      secret: folded(secret),
      shortestPiece: Math.min(SHORTEST_PIECE, secret.length),
    }))

  return (text) => {
    let told = asShown(firstCharacters(text, MAX_TOLD))
    for (;;) {
      told = withoutPieces(told, hidden)
      const decoded = decodedOnce(told)
      // Each round makes the text shorter, and so there is an end.
      if (decoded === told) {
        return told.replaceAll(PLACE, MASK)
      }

      told = decoded
    }
  }
}

/** Returns a text in its common form, such as full-width letters, and without what nobody sees, which may part a secret. */
function asShown(text: string): string {
  return text.normalize('NFKC').replaceAll(/(?!\s)\p{C}/gu, '')
}

/** A secret, and as many characters of it in a row as are hidden. */
interface Hidden {
  secret: string
  shortestPiece: number
}

/** Returns a text without case. Only ASCII is changed, so that each character stays in its place. */
function folded(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function withoutPieces(text: string, hidden: readonly Hidden[]): string {
  const searched = folded(text)
  let rest = ''
  let at = 0
  while (at < text.length) {
    const length = Math.max(0, ...hidden.map((each) => lengthOfPiece(searched, at, each)))
    rest += length === 0 ? text.charAt(at) : PLACE
    at += Math.max(1, length)
  }

  return rest
}

/** Returns the length of the longest piece of a secret that begins at a place in a text; 0 if there is none. */
function lengthOfPiece(text: string, at: number, { secret, shortestPiece }: Hidden): number {
  const isPiece = (length: number) =>
    at + length <= text.length && secret.includes(text.slice(at, at + length))
  if (!isPiece(shortestPiece)) {
    return 0
  }

  let length = shortestPiece
  while (isPiece(length + 1)) {
    length += 1
  }

  return length
}

/** A printable ASCII character as JSON, programs, URLs and HTML may write it. */
const ESCAPES =
  /\\+(?:u00|x)([2-7][\da-f])|%([2-7][\da-f])|&#x0*([2-7][\da-f]);|&#0*(3[2-9]|[4-9]\d|1[01]\d|12[0-7]);/gi

function decodedOnce(text: string): string {
  return text.replaceAll(ESCAPES, (_, escape?: string, percent?: string, entity?: string, decimal?: string) =>
    String.fromCharCode(decimal ? Number(decimal) : parseInt(escape ?? percent ?? entity ?? '', 16)),
  )
}
