/**
 * Parses an absolute URL, or one that is relative to `base`. Returns `null` if the text is no URL.
 *
 * `URL.canParse` is not used in this code base: once Node 20 has optimized a function, it reads the bytes of Latin-1 text
 * as UTF-8, and accepts text for which `new URL` throws.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

/** Returns whether the text is an absolute http(s) URL. */
export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(parseUrl(text)?.protocol ?? '')
}
