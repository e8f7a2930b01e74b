/** The one tag that the shop puts on its page. */

import type { Settings } from './settings.ts'

/** The customer whom a shop with accounts would know. The sandbox approves this number. */
const CUSTOMER = {
  'payer-name': 'Asha Mwangi',
  'payer-email': 'asha@example.com',
  'payer-msisdn': '+254700000001',
}

/** Attributes that the settings change. */
export const FOLLOWING = ['launch', 'lang', 'theme', ...Object.keys(CUSTOMER)]

export function tagAttributes(settings: Settings, order: string, bff: string): Record<string, string> {
  const { launch, lang, theme, payer } = settings
  return { server: bff, order, country: 'KE', launch, lang, theme, ...(payer === 'known' ? CUSTOMER : {}) }
}
