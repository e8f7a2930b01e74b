/**
 * Hides the secrets of this server in the words of others: a backend in debug mode, or a gateway that repeats a request,
 * shows what it was sent. An answer passes as it is, because what decides about money is never changed. It only brings
 * the function through which each of its words goes that is logged, stored or told.
 */

import { firstCharacters } from '../contract/fields.ts'

import type { Fetch, Mask } from './exchange.ts'

const MASK = '[secret]'
/** Shorter secrets are of the sandbox, or occur in texts by chance. */
const SHORTEST = 16
/** As many characters of a secret in a row are hidden: debug pages cut long values. */
const SHORTEST_PIECE = 12
/** The maximum number of characters that are told of one text. */
const MOST_TOLD = 1_000
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
 * them. It searches for the secrets as they are: a pattern made of them may be too long, or too slow.
 */
export function createMask(secrets: readonly string[]): Mask {
  const hidden = secrets.filter(({ length }) => length >= SHORTEST)
  const isHidden = (piece: string) => hidden.some((secret) => secret.includes(piece))
  return (text) => {
    let told = firstCharacters(text, MOST_TOLD)
    for (;;) {
      told = withoutPieces(told, isHidden)
      const decoded = decodedOnce(told)
      // Each round makes the text shorter, and so there is an end.
      if (decoded === told) {
        return told
      }

      told = decoded
    }
  }
}

function withoutPieces(text: string, isHidden: (piece: string) => boolean): string {
  let rest = ''
  let at = 0
  while (at < text.length) {
    let end = at + SHORTEST_PIECE
    if (end > text.length || !isHidden(text.slice(at, end))) {
      rest += text.charAt(at)
      at += 1
      continue
    }

    while (end < text.length && isHidden(text.slice(at, end + 1))) {
      end += 1
    }

    rest += MASK
    at = end
  }

  return rest
}

/** A printable ASCII character as JSON, programs, URLs and HTML may write it. */
const ESCAPES =
  /\\+(?:u00|x)([2-7][\da-f])|%([2-7][\da-f])|&#x0*([2-7][\da-f]);|&#0*(3[2-9]|[4-9]\d|1[01]\d|12[0-7]);/gi

function decodedOnce(text: string): string {
  return text.replaceAll(ESCAPES, (_, escape?: string, percent?: string, entity?: string, decimal?: string) =>
    String.fromCharCode(decimal ? Number(decimal) : parseInt(escape ?? percent ?? entity ?? '', 16)),
  )
}
