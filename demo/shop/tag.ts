import type { Settings } from './settings.ts'

// For this phone number, the visitor chooses the result on the hosted page.
const CUSTOMER = {
  'payer-name': 'Asha Mwangi',
  'payer-email': 'asha@example.com',
  'payer-msisdn': '+254700000001',
}

export const FOLLOWING = ['launch', 'lang', 'theme', ...Object.keys(CUSTOMER)]

export function tagAttributes(settings: Settings, order: string, bff: string): Record<string, string> {
  const { launch, lang, theme, payer } = settings
  return { server: bff, order, country: 'KE', launch, lang, theme, ...(payer === 'known' ? CUSTOMER : {}) }
}
