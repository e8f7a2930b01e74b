// Where callbacks go that have no address of their own.

import { z } from 'zod'
import { DEVELOPERS } from '../../accounts/roles.ts'
import { callbackAddressProblem } from '../../wire/addresses.ts'
import { card, code, notice } from '../card.ts'
import { field, form, lookOf, refused } from '../page.ts'
import type { Content } from '../page.ts'

/** The URL types. [spec: What the service does, 3; Events] */
const TYPES = {
  b2c_callback_url: address('B2C notifications', 'Results of payouts whose request has no callback_url.'),
  airtime_callback_url: address('Airtime', 'Results of airtime, one callback for each recipient.'),
  charge_callback_url: address('Charges', 'Results of charges.'),
}

const LABELS = Object.entries(TYPES).map(([name, schema]) => [name, lookOf(schema)?.label ?? name] as const)

function address(label: string, hint: string) {
  const schema = z.string().trim().max(500, `${label} must have at most 500 characters.`)
  return field(label, schema, { hint, type: 'url', isOptional: true })
}

export const callbacks: Content = {
  show(visit) {
    const saved: Readonly<Record<string, string | null>> = { ...visit.world.portal.addresses() }
    return [
      notice([
        'Checkouts and most payouts name their own ',
        code('callback_url'),
        '. These addresses are for what has none. Without an address, no callback is sent.',
      ]),
      visit.form('save', { values: saved }) ??
        card({ facts: LABELS.map(([name, label]) => [label, saved[name] ?? 'None']) }),
    ]
  },
  forms: {
    save: form(DEVELOPERS, ['Save the addresses'], TYPES, ({ world }, typed) => {
      for (const [name, label] of LABELS) {
        const url = new Map(Object.entries(typed)).get(name)
        const problem = url && callbackAddressProblem(url, world.callbackHosts, label)
        if (problem) return refused(name, problem)
      }
      world.portal.set({
        b2c_callback_url: typed.b2c_callback_url || null,
        airtime_callback_url: typed.airtime_callback_url || null,
        charge_callback_url: typed.charge_callback_url || null,
      })
      return { notice: 'The callback URLs were saved.' }
    }),
  },
}
