/**
 * Defines the three fields for the payer's details. The gateway requires all three. [spec: Standard checkout request]
 */

export const PAYER_FIELDS = ['payer_name', 'payer_email', 'payer_msisdn'] as const
export type PayerField = (typeof PAYER_FIELDS)[number]
export type Payer = Record<PayerField, string>

/**
 * Returns the fields that the form shows: fields whose attribute is missing, fields that the shopper has filled in, and
 * invalid fields.
 *
 * @param given The values of the element's attributes; empty text for a missing attribute.
 */
export function shownFields(
  given: Payer,
  typed: Partial<Payer>,
  problems: readonly PayerField[],
): PayerField[] {
  return PAYER_FIELDS.filter((field) => !given[field] || field in typed || problems.includes(field))
}
