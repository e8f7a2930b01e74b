// The settings are stored in the page's URL, so that a reload keeps the settings.

import { GOODS, MOST_SHILLINGS } from './goods.ts'

export const LAUNCHES = ['auto', 'redirect', 'popup'] as const
export const THEMES = ['auto', 'light', 'dark'] as const
export const PAYERS = ['known', 'asked'] as const

export interface Settings {
  amount: number
  launch: (typeof LAUNCHES)[number]
  // ISO 639-1 code.
  lang: string
  theme: (typeof THEMES)[number]
  payer: (typeof PAYERS)[number]
}

export function readSettings(query: URLSearchParams): Settings {
  const typed = Number(query.get('amount'))
  const isPayable = Number.isInteger(typed) && typed >= 1 && typed <= MOST_SHILLINGS
  return {
    amount: isPayable ? typed : GOODS[0].price,
    launch: oneOf(LAUNCHES, query.get('launch')),
    lang: /^[a-z]{2}$/.exec(query.get('lang') ?? '')?.[0] ?? 'en',
    theme: oneOf(THEMES, query.get('theme')),
    payer: oneOf(PAYERS, query.get('payer')),
  }
}

export function address(settings: Settings, order?: string): string {
  const { amount, ...picked } = settings
  const query = new URLSearchParams({ amount: String(amount), ...picked, ...(order ? { order } : {}) })
  return `/?${query.toString()}`
}

function oneOf<const T extends readonly [string, ...string[]]>(offered: T, wanted: string | null): T[number] {
  return offered.find((each) => each === wanted) ?? offered[0]
}
