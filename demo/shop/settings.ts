// What a visitor chooses on the shop's page. It is part of the page's URL, so a reload keeps it.

import { isKeyOf } from '../../server/contract/parse.ts'
import { GOODS, MOST_SHILLINGS } from './goods.ts'

/** By value: what the page calls it. */
export const LAUNCHES = { auto: 'Automatic', redirect: 'In this window', popup: 'In a pop-up' } as const
export const THEMES = { auto: 'Automatic', light: 'Light', dark: 'Dark' } as const
export const PAYERS = { known: 'Known: Asha Mwangi', asked: 'Asked by the tag' } as const

export interface Settings {
  amount: number
  launch: keyof typeof LAUNCHES
  // ISO 639-1 code.
  lang: string
  theme: keyof typeof THEMES
  payer: keyof typeof PAYERS
}

export function readSettings(query: URLSearchParams): Settings {
  const typed = Number(query.get('amount'))
  const isPayable = Number.isInteger(typed) && typed >= 1 && typed <= MOST_SHILLINGS
  return {
    amount: isPayable ? typed : GOODS[0].price,
    launch: oneOf(LAUNCHES, 'auto', query.get('launch')),
    lang: /^[a-z]{2}$/.exec(query.get('lang') ?? '')?.[0] ?? 'en',
    theme: oneOf(THEMES, 'auto', query.get('theme')),
    payer: oneOf(PAYERS, 'known', query.get('payer')),
  }
}

export function address(settings: Settings, order?: string): string {
  const { amount, ...picked } = settings
  const query = new URLSearchParams({ amount: String(amount), ...picked, ...(order ? { order } : {}) })
  return `/?${query.toString()}`
}

function oneOf<T extends object>(offered: T, otherwise: keyof T, wanted: string | null): keyof T {
  return wanted !== null && isKeyOf(offered)(wanted) ? wanted : otherwise
}
