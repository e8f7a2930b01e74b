/** Who pays: three facts that the gateway asks for. [spec: Standard checkout request] */

import { completeMsisdn, isCountry } from '../server/contract/countries.ts'

export const PAYER_FIELDS = ['payer_name', 'payer_email', 'payer_msisdn'] as const
export type PayerField = (typeof PAYER_FIELDS)[number]
export type Payer = Record<PayerField, string>

export const NOBODY: Payer = { payer_name: '', payer_email: '', payer_msisdn: '' }

/** Longest name and e-mail address that the gateway takes. [spec: Limits] */
const LONGEST = 100

/**
 * Reads what a page or a person wrote: the payer as the gateway takes it, and the fields that must be asked for
 * (again). A national phone number is completed with the country, an ISO 3166-1 alpha-2 code or empty.
 */
export function readPayer(draft: Payer, country: string): { payer: Payer; problems: PayerField[] } {
  const code = country.trim().toUpperCase()
  const name = draft.payer_name.trim()
  const email = draft.payer_email.trim()
  const msisdn = completeMsisdn(draft.payer_msisdn, isCountry(code) ? code : null)
  const problems: PayerField[] = []
  if (name === '' || name.length > LONGEST) problems.push('payer_name')
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > LONGEST) problems.push('payer_email')
  if (msisdn === null) problems.push('payer_msisdn')
  return {
    payer: { payer_name: name, payer_email: email, payer_msisdn: msisdn ?? draft.payer_msisdn },
    problems,
  }
}

export function isPayerField(path: unknown): path is PayerField {
  return PAYER_FIELDS.some((field) => field === path)
}
