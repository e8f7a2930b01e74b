/** Checks whether secrets are placeholders, or easy to guess. Pure. */

const MIN_LENGTH = 24
const MIN_PASSWORD_LENGTH = 8
/**
 * The minimum number of different characters in a secret. Only about one in 42,600 random texts of 24 hexadecimal
 * digits has fewer different characters.
 */
const MIN_DIFFERENT = 8

export const STRONG =
  'at least 24 characters long and not easy to guess, such as the output of "openssl rand -base64 32"'

/**
 * Returns whether a secret is long enough, has enough different characters, and is neither a repetition of a shorter
 * text nor a series such as "abcdef".
 */
export function isStrong(secret: string): boolean {
  const isVaried = new Set(secret).size >= MIN_DIFFERENT
  return secret.length >= MIN_LENGTH && isVaried && !isRepetition(secret) && !isSeries(secret)
}

/**
 * Returns whether a database password, which may be shorter than other secrets, is easy to guess: short, equal to the
 * user's name, a placeholder, a repetition or a series.
 */
export function isGuessable(password: string, user: string): boolean {
  const isPattern = isRepetition(password) || isSeries(password)
  return password.length < MIN_PASSWORD_LENGTH || password === user || isPlaceholder(password) || isPattern
}

/** Returns whether the secret repeats a text of at most half its length. Takes linear time, for secrets of any length. */
function isRepetition(secret: string): boolean {
  /** For each beginning of the secret, the length of the longest text with which it both starts and ends. */
  const borders = [0]
  for (let border = 0, end = 1; end < secret.length; end++) {
    while (border > 0 && secret[border] !== secret[end]) border = borders[border - 1] ?? 0
    if (secret[border] === secret[end]) border += 1
    borders.push(border)
  }
  return secret.length - (borders.at(-1) ?? 0) <= secret.length / 2
}

/**
 * Returns whether more than half of the characters are equal to the preceding character or adjacent to it in Unicode,
 * such as "b" after "a".
 */
function isSeries(secret: string): boolean {
  const codes = Array.from(secret, (character) => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, index) => Math.abs(code - (codes[index] ?? 0)))
  return steps.filter((step) => step <= 1).length > steps.length / 2
}

/**
 * Matches placeholders from documents and templates, such as "change-me" or "<secret>". Also matches a placeholder in a
 * list, such as "KES=…,UGX=…".
 */
const PLACEHOLDER =
  /(^|[=,:]\s*)(…|\.{3}|<[^<>]*>|change[-_ ]?me|(your|my)[-_ ](secret|key|token|password|api[-_ ]key)|replace[-_ ]?me|x{3,12}|\*{3,12}|to-?do)\s*(,|$)/i

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value)
}
