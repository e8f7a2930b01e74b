// What a visitor chooses on the shop's page. It is part of the page's URL, so a reload keeps it.

import { isKeyOf } from '../../server/contract/parse.ts'
import { GOODS, MAX_SHILLINGS } from './goods.ts'

/** The settings that have few values: the names of the values on the page. */
export const LAUNCHES = { auto: 'Automatic', redirect: 'In this window', popup: 'In a pop-up' } as const
export const THEMES = { auto: 'Automatic', light: 'Light', dark: 'Dark' } as const
export const PAYERS = { known: 'Known: Asha Mwangi', asked: 'Asked by the tag' } as const

export interface Settings {
  amount: number
  launch: keyof typeof LAUNCHES
  /** An ISO 639-1 code. */
  lang: string
  theme: keyof typeof THEMES
  payer: keyof typeof PAYERS
}

export function readSettings(query: URLSearchParams): Settings {
  const amount = Number(query.get('amount'))
  const isPayable = Number.isInteger(amount) && amount >= 1 && amount <= MAX_SHILLINGS
  return {
    amount: isPayable ? amount : GOODS[0].price,
    launch: oneOf(LAUNCHES, 'auto', query.get('launch')),
    lang: /^[a-z]{2}$/.exec(query.get('lang') ?? '')?.[0] ?? 'en',
    theme: oneOf(THEMES, 'auto', query.get('theme')),
    payer: oneOf(PAYERS, 'known', query.get('payer')),
  }
}

/** Returns the address of the shop's page: of an order, or of a new one. */
export function addressOf(settings: Settings, order?: string): string {
  const query = new URLSearchParams({ ...settings, amount: String(settings.amount) })
  if (order) {
    query.set('order', order)
  }
  return `/?${query.toString()}`
}

function oneOf<T extends object>(choices: T, defaultChoice: keyof T, value: string | null): keyof T {
  return value !== null && isKeyOf(choices)(value) ? value : defaultChoice
}
