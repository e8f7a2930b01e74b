/** The checks of the merchant portal, whose pages the specification only names. */

import { paidCheckout } from '../checkout.ts'
import { expect } from '../expect.ts'
import { sendPayout } from '../payout.ts'
import { readableIn } from '../portal-visitor.ts'

import type { Check } from '../check.ts'
import type { Gateway } from '../gateway.ts'

interface PortalPage {
  rows: readonly string[]
  path: string
  shows: (gateway: Gateway) => RegExp
}

/** What a person finds in the portal, with the path of its page in our sandbox, and what the page must have. */
const PAGES: Readonly<Record<string, PortalPage>> = {
  'API keys are created and revoked': {
    rows: ['General behaviour / 3 / API keys', 'Authentication / 2 / portal'],
    path: '/keys',
    shows: () => /action="[^"]*\/create/,
  },
  'callback URLs are set, one of them for B2C notifications': {
    rows: ['General behaviour / 3 / callback URLs'],
    path: '/callback-urls',
    shows: () => /B2C/,
  },
  'users are managed': { rows: ['General behaviour / 3 / users'], path: '/users', shows: () => /owner@/ },
  'users have access levels': {
    rows: ['General behaviour / 3 / access levels', 'Authentication / 8 / users'],
    path: '/users',
    shows: () => /viewer/i,
  },
  'service codes are looked up': {
    rows: ['General behaviour / 3 / service codes'],
    path: '/services',
    shows: ({ credentials }) => RegExp(credentials.services.checkout),
  },
}

export const portalChecks: Check[] = [
  ...Object.entries(PAGES).map(([what, { rows, path, shows }]): Check => ({
    rows,
    fact: `in the portal, ${what}`,
    needs: ['portal'],
    run: async (gateway) => expect(await gateway.portalPage(path)).toMatch(shows(gateway)),
  })),
  {
    rows: ['General behaviour / 3 / payments'],
    fact: 'in the portal, an accepted payment is listed as paid, with its amount',
    needs: ['portal', 'control'],
    async run(gateway) {
      const { sent } = await paidCheckout(gateway)
      const html = await gateway.portalPage(`/payments?q=${sent.merchant_transaction_id}`)
      const amount = sent.amount.toLocaleString('en')
      const [list = ''] = readableIn(html).split(sent.merchant_transaction_id)
      expect(list).toContain('Paid 801')
      expect(list).toContain(`${gateway.credentials.currency} ${amount}`)
    },
  },
  {
    rows: ['General behaviour / 3 / statements'],
    fact: 'in the portal, the statement of the account has a payout, and what it took from the float',
    needs: ['portal'],
    async run(gateway) {
      const { account_number, currency } = gateway.credentials
      const { sent } = await sendPayout('local', gateway)
      const html = await gateway.portalPage(`/accounts/${account_number}?q=${sent.payout_reference}`)
      // The page has the rows that the search finds, whatever the order of their cells.
      const movements = readableIn(html)
      expect(movements).toContain(sent.payout_reference)
      expect(movements).toMatch(new RegExp(`−${currency} \\d`))
    },
  },
]
