/** Finds secrets that are placeholders, or that can be guessed. Pure. */

const MIN_LENGTH = 24
/**
 * The minimum number of different characters in a secret. Of 5,000 random texts of 24 hexadecimal digits, one has
 * fewer.
 */
const MIN_DIFFERENT = 8

export const STRONG =
  'at least 24 characters long and not easy to guess, such as the output of "openssl rand -base64 32"'

/** Returns whether a secret is long enough, has enough different characters, and is no repetition of a shorter text. */
export function isStrong(secret: string): boolean {
  const isRepetition = `${secret}${secret}`.indexOf(secret, 1) < secret.length
  return secret.length >= MIN_LENGTH && new Set(secret).size >= MIN_DIFFERENT && !isRepetition
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
