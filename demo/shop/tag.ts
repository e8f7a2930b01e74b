/** The one tag that the shop puts on its page. */

import type { Settings } from './settings.ts'

/** The customer that a shop with accounts would know. Any number that is not a magic one approves. */
const CUSTOMER = {
  'payer-name': 'Asha Mwangi',
  'payer-email': 'asha@example.com',
  'payer-msisdn': '+254700000001',
}

/** Attributes that follow the settings; one that is not here is not on the tag. */
export const FOLLOWING = ['launch', 'lang', 'theme', ...Object.keys(CUSTOMER)]

export function tagAttributes(settings: Settings, order: string, bff: string): Record<string, string> {
  const { launch, lang, theme, payer } = settings
  return { server: bff, order, country: 'KE', launch, lang, theme, ...(payer === 'known' ? CUSTOMER : {}) }
}
