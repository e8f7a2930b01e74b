/**
 * Hides this server's secrets in the texts of HTTP responses. Some servers return what was sent to them: a backend in
 * debug mode, for example, or a gateway that repeats the request in an error.
 *
 * The response itself is not changed, because its values decide about money. It gets a function, `mask`, that hides the
 * secrets in a text. Each text of the response that is logged, stored, or shown to a person goes through this function.
 */

import { firstCharacters } from '../contract/text.ts'

import type { Fetch, Mask } from './exchange.ts'

/** What stands in a masked text in place of a secret. */
const MASK = '[secret]'
/**
 * Stands in place of a secret until the whole text is masked, because a part of {@link MASK} could be taken for a part
 * of a secret. The character itself occurs in no text: Unicode assigns it to nothing, so `withoutInvisible` removes it.
 */
const PLACEHOLDER = '\uFFFE'
/** The default length from which a secret is hidden. Shorter secrets are those of a sandbox. */
const MIN_SECRET_LENGTH = 16
/** The length from which a part of a secret is hidden, because debug pages show only the beginning of long values. */
const MIN_PIECE_LENGTH = 12
/** The length to which a text is shortened. */
const MAX_TEXT_LENGTH = 1_000
/** The names of the request headers that carry a secret: the token of a backend, or the gateway's access token. */
const SECRET_HEADER = /^authorization$|token/i
/** The scheme of an Authorization header, such as `Bearer`, with the space after it. */
const SCHEME = /^\w+ /

/** @param secrets The configured secrets. The secrets in the headers of a request are hidden, too. */
export function createMaskedFetch(fetch: Fetch, secrets: readonly string[]): Fetch {
  return async (url, init) => {
    const mask = createMask([...secrets, ...secretsIn(init.headers)])
    const { status, headers, body } = await fetch(url, init)
    return headers ? { status, headers, body, mask } : { status, body, mask }
  }
}

function secretsIn(headers: Record<string, string>): string[] {
  return Object.entries(headers)
    .filter(([name]) => SECRET_HEADER.test(name))
    .map(([, value]) => value.replace(SCHEME, ''))
}

/**
 * Returns a function that shortens a text, decodes its escapes, and hides each secret and each longer piece of one. Upper
 * and lower case are the same. Secrets are compared as text and not made into regular expressions, which could become
 * too long or too slow.
 *
 * @param minLength The length from which a secret is hidden. Shorter secrets could be parts of ordinary words.
 */
export function createMask(secrets: readonly string[], minLength = MIN_SECRET_LENGTH): Mask {
  const hidden = secrets.filter(({ length }) => length >= minLength).map(foldCase)

  return (text) => {
    let masked: string
    let decoded = withoutInvisible(firstCharacters(text, MAX_TEXT_LENGTH))
    // An escape may contain another one. The loop ends, because each decoding makes the text shorter.
    do {
      masked = replacePieces(decoded, hidden)
      decoded = decodeOnce(masked)
    } while (decoded !== masked)

    return masked.replaceAll(PLACEHOLDER, MASK)
  }
}

/** Everything in Unicode's category "other" (control, format and unassigned characters), except white space. */
const INVISIBLE = /(?!\s)\p{C}/gu

/**
 * Writes letters in their usual form, full-width ones for example as ASCII, and removes invisible characters. Both could
 * hide a secret from the search, but not from a reader.
 */
function withoutInvisible(text: string): string {
  return text.normalize('NFKC').replaceAll(INVISIBLE, '')
}

/** Writes ASCII letters in lower case. Other letters stay, since some change their length in lower case. */
function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Returns the text with a {@link PLACEHOLDER} in place of each piece of a secret. */
function replacePieces(text: string, secrets: readonly string[]): string {
  const folded = foldCase(text)
  let result = ''
  let position = 0
  while (position < text.length) {
    const length = longestPieceAt(position, folded, secrets)
    result += length === 0 ? text.charAt(position) : PLACEHOLDER
    position += Math.max(1, length)
  }

  return result
}

/** Returns the length of the longest piece of any secret that begins at a position of the text; 0 if there is none. */
function longestPieceAt(position: number, text: string, secrets: readonly string[]): number {
  let longest = 0
  for (const secret of secrets) {
    longest = Math.max(longest, pieceLengthAt(position, text, secret))
  }

  return longest
}

function pieceLengthAt(position: number, text: string, secret: string): number {
  const isPiece = (length: number) =>
    position + length <= text.length && secret.includes(text.slice(position, position + length))

  // A secret that is shorter than a piece is only hidden as a whole.
  let length = Math.min(MIN_PIECE_LENGTH, secret.length)
  if (!isPiece(length)) {
    return 0
  }

  while (isPiece(length + 1)) {
    length += 1
  }

  return length
}

/** The code of a printable ASCII character, 0x20 to 0x7F, in hexadecimal. */
const HEX = '([2-7][0-9a-f])'
/** The same in decimal: 32 to 127. */
const DECIMAL = '(3[2-9]|[4-9][0-9]|1[01][0-9]|12[0-7])'
/** The escapes of a printable ASCII character. */
const ESCAPES = {
  // JSON and programs: \u0041, \x41. A text that was escaped several times has several backslashes.
  backslash: String.raw`\\+(?:u00|x)${HEX}`,
  // URLs: %41
  percent: `%${HEX}`,
  // HTML: &#x41; and &#65;
  entity: `&#x0*${HEX};`,
  decimalEntity: `&#0*${DECIMAL};`,
}
const ESCAPE = new RegExp(Object.values(ESCAPES).join('|'), 'gi')

function decodeOnce(text: string): string {
  return text.replaceAll(
    ESCAPE,
    (_, backslash?: string, percent?: string, entity?: string, decimalEntity?: string) => {
      const hex = backslash ?? percent ?? entity
      const code = hex === undefined ? Number(decimalEntity) : Number.parseInt(hex, 16)
      return String.fromCharCode(code)
    },
  )
}
