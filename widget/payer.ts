/** The payer's three fields, which the gateway requires. [spec: Standard checkout request] */

export const PAYER_FIELDS = ['payer_name', 'payer_email', 'payer_msisdn'] as const
export type PayerField = (typeof PAYER_FIELDS)[number]
export type Payer = Record<PayerField, string>

/** The fields that the form asks for: those without an attribute, typed before, or with a problem. */
export function missingFields(
  given: Payer,
  typed: Partial<Payer>,
  problems: readonly PayerField[],
): PayerField[] {
  return PAYER_FIELDS.filter((field) => !given[field] || field in typed || problems.includes(field))
}
