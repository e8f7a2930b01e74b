/** Judges whether a value of a secret is a placeholder, or can be guessed. Pure. */

const MIN_LENGTH = 24
/** Random text of 24 hexadecimal digits has fewer different characters once in 5,000 times. */
const MIN_DIFFERENT = 8

export const STRONG =
  'at least 24 characters long and not easy to guess, such as the output of "openssl rand -base64 32"'

/** Returns whether a secret is long and varied enough. */
export function isStrong(secret: string): boolean {
  const isRepetition = `${secret}${secret}`.indexOf(secret, 1) < secret.length
  return secret.length >= MIN_LENGTH && new Set(secret).size >= MIN_DIFFERENT && !isRepetition
}

/** Examples of documents and templates, as a whole value or as a value of a list such as "KES=…,UGX=…". */
const PLACEHOLDER =
  /(^|[=,:]\s*)(…|\.{3}|<[^<>]*>|change[-_ ]?me|(your|my)[-_ ](secret|key|token|password|api[-_ ]key)|replace[-_ ]?me|x{3,12}|\*{3,12}|to-?do)\s*(,|$)/i

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value)
}
