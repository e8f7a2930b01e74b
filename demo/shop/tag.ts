import { CURRENCY } from './goods.ts'
import type { Settings } from './settings.ts'

// For this phone number, the visitor chooses the result on the hosted page.
const CUSTOMER = {
  'payer-name': 'Asha Mwangi',
  'payer-email': 'asha@example.com',
  'payer-msisdn': '+254700000001',
}

export const FOLLOWING = ['launch', 'lang', 'theme', ...Object.keys(CUSTOMER)]

export function tagAttributes(settings: Settings, order: string, bff: string): Record<string, string> {
  const { amount, launch, lang, theme, payer } = settings
  const terms = { amount: `${CURRENCY} ${amount}`, payee: 'Pwani Goods' }
  return {
    server: bff,
    order,
    ...terms,
    country: 'KE',
    launch,
    lang,
    theme,
    ...(payer === 'known' ? CUSTOMER : {}),
  }
}
