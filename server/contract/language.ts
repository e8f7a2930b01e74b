/** Reads the tag of a language (BCP 47), in whichever form a system writes it. Pure. */

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
