/** Which addresses a merchant may name for customers who go back to the shop. */

/** `null` when a browser may be sent there. The address is an absolute URL. */
export function whyNoRedirectAddress(redirect_url: string): string | null {
  return ['http:', 'https:'].includes(new URL(redirect_url).protocol)
    ? null
    : 'redirect_url must be an HTTP or HTTPS address.'
}
