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

function isRepetition(secret: string): boolean {
  const lengths = Array.from({ length: Math.floor(secret.length / 2) }, (_, index) => index + 1)
  return lengths.some((length) => secret.startsWith(secret.slice(length)))
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
