/** The three payer fields that the gateway requires. [spec: Standard checkout request] */

export const PAYER_FIELDS = ['payer_name', 'payer_email', 'payer_msisdn'] as const
export type PayerField = (typeof PAYER_FIELDS)[number]
export type Payer = Record<PayerField, string>

/** Returns the fields that the form shows: those without an attribute, those typed before, and those with a problem. */
export function missingFields(
  given: Payer,
  typed: Partial<Payer>,
  problems: readonly PayerField[],
): PayerField[] {
  return PAYER_FIELDS.filter((field) => !given[field] || field in typed || problems.includes(field))
}
