/** Returns whether a text is one line, of characters that are no control characters. Pure. */
export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}
