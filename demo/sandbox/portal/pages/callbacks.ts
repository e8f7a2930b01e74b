// Where callbacks go that have no address of their own.

import { z } from 'zod'
import { DEVELOPERS } from '../../accounts/roles.ts'
import { callbackAddressProblem } from '../../wire/addresses.ts'
import { card, notice } from '../card.ts'
import { field, form, lookOf, refused } from '../page.ts'
import type { Content } from '../page.ts'

/** The URL types. [spec: What the service does, 3; Events] */
const TYPES = {
  b2c_callback_url: address('B2C notifications', 'Results of payouts whose request has no callback_url.'),
  airtime_callback_url: address('Airtime', 'Results of airtime, one callback for each recipient.'),
  charge_callback_url: address('Charges', 'Results of charges.'),
}

function address(label: string, hint: string) {
  const schema = z
    .string()
    .trim()
    .max(500, `${label} must have at most 500 characters.`)
    .transform((url) => url || null)
  return field(label, schema, { hint, type: 'url', isOptional: true })
}

export const callbacks: Content = {
  show(visit) {
    const saved: Readonly<Record<string, string | null>> = { ...visit.world.portal.addresses() }
    return [
      notice('For what names no callback_url of its own. Without an address, no callback is sent.'),
      visit.form('save', { values: saved }) ??
        card({
          facts: Object.entries(TYPES).map(([name, type]) => [lookOf(type)?.label, saved[name] ?? 'None']),
        }),
    ]
  },
  forms: {
    save: form(DEVELOPERS, ['Save the addresses'], TYPES, ({ world }, typed) => {
      for (const [name, url] of Object.entries(typed)) {
        const problem = url && callbackAddressProblem(url, world.callbackHosts, 'The address')
        if (problem) return refused(name, problem)
      }
      world.portal.set(typed)
      return { notice: 'The callback URLs were saved.' }
    }),
  },
}
