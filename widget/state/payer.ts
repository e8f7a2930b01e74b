/**
 * Defines the three fields for the payer's details. A standard checkout needs all three; a charge needs only the phone
 * number. [spec: Standard checkout request]
 */

export const PAYER_FIELDS = ['payer_name', 'payer_email', 'payer_msisdn'] as const
export type PayerField = (typeof PAYER_FIELDS)[number]
export type Payer = Record<PayerField, string>
