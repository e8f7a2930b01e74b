/**
 * Defines the three fields for the payer's details. The gateway requires all three. [spec: Standard checkout request]
 */

export const PAYER_FIELDS = ['payer_name', 'payer_email', 'payer_msisdn'] as const
export type PayerField = (typeof PAYER_FIELDS)[number]
export type Payer = Record<PayerField, string>
