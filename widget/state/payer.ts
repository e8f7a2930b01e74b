/**
 * The payer's details: three fields, and whether they are complete. A standard checkout needs all three; a charge needs
 * only the phone number. [spec: Standard checkout request]
 *
 * Of a phone number, the element only counts the characters. `server/checkouts/payer.ts` completes it, and
 * `server/contract/phone-number.ts` says which can be one.
 */

export const PAYER_FIELDS = ['payer_name', 'payer_email', 'payer_msisdn'] as const
export type PayerField = (typeof PAYER_FIELDS)[number]
export type Payer = Record<PayerField, string>

/** [assumed] No phone number that is asked to pay is shorter. */
export const SHORTEST_NUMBER = 7

/** Returns whether a checkout can start without the form. A prompt needs only the phone number. */
export function isComplete(payer: Payer, asksPhone: boolean): boolean {
  return asksPhone ? payer.payer_msisdn.length >= SHORTEST_NUMBER : Object.values(payer).every(Boolean)
}
