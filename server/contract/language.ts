/** Reads what names a language. Pure. */

/**
 * Returns the BCP 47 tag of a language; `null` if the text is none. Systems write locales with an underscore: `fr_FR` is
 * the tag "fr-FR".
 */
export function readLanguage(text: string): string | null {
  const tag = text.trim().replaceAll('_', '-')
  try {
    return Intl.getCanonicalLocales(tag).length > 0 ? tag : null
  } catch {
    return null
  }
}
